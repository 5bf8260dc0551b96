import type { Queries } from '../../database/index.ts';
import type { ConnectedApps } from '../connected-apps.ts';
import { findActivityOfUser } from './queries.ts';

/** Whether a user logged in, refreshed a login, used an API token or used an app since this time. */
export async function isActiveSince(
  database: Queries,
  { connectedApps }: { connectedApps: ConnectedApps },
  userId: string,
  since: Date,
): Promise<boolean> {
  return (
    (await findActivityOfUser(database, { userId, since })).is_active ||
    (await connectedApps.hasActivitySince(database, userId, since))
  );
}
