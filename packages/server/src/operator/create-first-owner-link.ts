import { createSetupLink, hasStaff } from '../auth/index.ts';
import { claimFirstOwnerLink, type Queries } from '../database/index.ts';
import { hasUsers } from '../users/index.ts';

/**
 * Creates the one-time link for the first owner of a new installation to set up their account, only once; undefined
 * afterwards, and if there are users from an earlier version.
 */
export async function createFirstOwnerLink(tools: { database: Queries; authUrl: string }): Promise<string | undefined> {
  return tools.database.transaction(async (tx) => {
    if ((await hasUsers(tx)) || (await hasStaff(tx)) || !(await claimFirstOwnerLink(tx))) {
      return undefined;
    }
    return (await createSetupLink(tx, tools.authUrl, null)).url;
  });
}
