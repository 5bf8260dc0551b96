import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { findNames } from '../sessions/find-names.ts';
import { presentNamedSession } from '../sessions/present-session.ts';
import { listActiveSessions } from '../sessions/queries.ts';
import { presentListedLicense } from './present-license.ts';
import { requireLicense } from './require-license.ts';

/** A license with its features and its active sessions. */
export async function getLicense(context: AuthorizedContext, id: string): Promise<Answer<unknown>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const license = await requireLicense(context, id);
  const sessions = await listActiveSessions(context.database, { organizationId, clockOffsetMs, licenseId: id });
  const names = await findNames(context, sessions);
  const data = {
    ...presentListedLicense(license),
    available_seats: Math.max(0, license.max_seats - license.active_seats),
    features: license.features,
    sessions: sessions.map((session) => presentNamedSession(session, names)),
  };
  return { data };
}
