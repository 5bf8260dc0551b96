import { isoTime } from '../../clock/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { findNames } from '../sessions/find-names.ts';
import { type Names, presentNamedSession } from '../sessions/present-session.ts';
import type { SessionRow } from '../sessions/queries.ts';
import { SESSION_LIST } from '../sessions/session-list.ts';
import { requireLicense } from './require-license.ts';

/** A page of a license's sessions, active and ended. */
export async function listSessions(
  context: AuthorizedContext,
  licenseId: string,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  await requireLicense(context, licenseId);
  const { organizationId, clockOffsetMs } = context.principal;
  const values = { organizationId, clockOffsetMs, licenseId };
  const { items, next } = await SESSION_LIST.getPage(context.database, page, values, (row) => row);
  const names = await findNames(context, items);
  return { items: items.map((row) => present(row, names)), next };
}

function present(row: SessionRow, names: Names | undefined) {
  return {
    ...presentNamedSession(row, names),
    license_id: row.license_id,
    status: row.status,
    ended_at: row.ended_at_ms === null ? null : isoTime(row.ended_at_ms),
    released_by: row.released_by,
    metadata: row.metadata,
  };
}
