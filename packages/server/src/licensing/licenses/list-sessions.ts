import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, type ListPage, notFound, type PageRequest } from '../../http/index.ts';
import { presentSession } from '../sessions/present-session.ts';
import type { SessionRow } from '../sessions/queries.ts';
import { SESSION_LIST } from '../sessions/session-list.ts';
import { findLicense } from './queries.ts';

/** A page of a license's sessions, active and ended. */
export async function listSessions(
  context: AuthorizedContext,
  licenseId: string,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const license = await findLicense(context.database, { organizationId, clockOffsetMs, id: licenseId });
  if (license === undefined) {
    throw notFound('license');
  }
  const values = { organizationId, clockOffsetMs, licenseId };
  return SESSION_LIST.getPage(context.database, page, values, present);
}

function present(row: SessionRow) {
  return {
    ...presentSession(row),
    license_id: row.license_id,
    status: row.status,
    ended_at: row.ended_at_ms === null ? null : isoTime(row.ended_at_ms),
    metadata: row.metadata,
  };
}
