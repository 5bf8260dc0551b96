import { type Answer, type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentSession } from '../sessions/present-session.ts';
import { listActiveSessions } from '../sessions/queries.ts';
import { presentListedLicense } from './present-license.ts';
import { findLicense } from './queries.ts';

/** A license with its features and its active sessions. */
export async function getLicense(context: AuthorizedContext, id: string): Promise<Answer<unknown>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const license = await findLicense(context.database, { organizationId, clockOffsetMs, id });
  if (license === undefined) {
    throw notFound('license');
  }
  const sessions = await listActiveSessions(context.database, { organizationId, clockOffsetMs, licenseId: id });
  const data = {
    ...presentListedLicense(license),
    available_seats: Math.max(0, license.max_seats - license.active_seats),
    features: license.features,
    sessions: sessions.map(presentSession),
  };
  return { data };
}
