import { createSetupLink, hasStaff } from '../auth/index.ts';
import { claimFirstOwnerLink, type Queries } from '../database/index.ts';
import { hasUsers } from '../users/index.ts';

/**
 * Creates the one-time link on which the first owner of a new installation sets up their account, once in its life; undefined
 * afterwards, and where there are users: they came with an earlier version.
 */
export async function createFirstOwnerLink(tools: { database: Queries; authUrl: string }): Promise<string | undefined> {
  return tools.database.transaction(async (tx) => {
    if ((await hasUsers(tx)) || (await hasStaff(tx)) || !(await claimFirstOwnerLink(tx))) {
      return undefined;
    }
    return (await createSetupLink(tx, tools.authUrl, null)).url;
  });
}
