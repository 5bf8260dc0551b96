import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { findLicense } from '../licenses/queries.ts';
import { presentSession } from './present-session.ts';
import { listSessions, type SessionRow } from './session-queries.ts';

/** The sessions of a license, active and ended, a page at a time. */
export async function readSessions(
  context: AuthorizedContext,
  licenseId: string,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const [license] = await context.database.run(findLicense(organizationId, clockOffsetMs, licenseId));
  if (license === undefined) {
    throw notFound('license');
  }
  const rows = await context.database.run(listSessions(organizationId, clockOffsetMs, licenseId, page));
  const sortValueMs = (row: SessionRow) => (page.sort === 'last_heartbeat' ? row.last_heartbeat_ms : row.started_at_ms);
  return toPage(rows, page, (row) => ({ value: isoTime(sortValueMs(row)), id: row.session_id }), present);
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
