import type { Answer, AuthorizedContext } from '../../http/index.ts';
import type { LicensingSettings } from '../licensing-tools.ts';
import { findMemberNames } from '../sessions/find-names.ts';
import { presentNamedSession } from '../sessions/present-session.ts';
import { listActiveSessions } from '../sessions/queries.ts';
import { requireOperatorLicense } from './change-operator-license.ts';
import { presentOperatorLicense } from './present-operator-license.ts';

/** A license of any organization with its active sessions. Throws not_found. */
export async function getOperatorLicense(
  { database }: AuthorizedContext,
  settings: LicensingSettings,
  id: string,
): Promise<Answer<unknown>> {
  const license = await requireOperatorLicense(database, id);
  const { organization_id: organizationId, clock_offset_ms: clockOffsetMs } = license;
  const sessions = await listActiveSessions(database, { organizationId, clockOffsetMs, licenseId: id });
  const names = await findMemberNames(database, organizationId, sessions);
  const data = {
    ...presentOperatorLicense(license, settings),
    sessions: sessions.map((session) => presentNamedSession(session, names)),
  };
  return { data };
}
