import type { Configuration } from 'oidc-provider';
import type { Queries } from '../../database/index.ts';
import { listGrantIds } from './artifact-queries.ts';

/**
 * Creates the function that finds the grant of an authorization: the one just given on the consent page, the last one
 * used by this browser, or the only one that the user gave the app. With several, the user chooses the organization
 * again.
 */
export function createGrantLoader(database: Queries): NonNullable<Configuration['loadExistingGrant']> {
  return async (ctx) => {
    const { account, client, session, result, provider } = ctx.oidc;
    if (account === undefined || client === undefined || session === undefined) {
      return undefined;
    }
    for (const id of [result?.consent?.grantId, session.grantIdFor(client.clientId)]) {
      const grant = id === undefined ? undefined : await provider.Grant.find(id);
      if (grant !== undefined && grant.accountId === account.accountId && grant.clientId === client.clientId) {
        return grant;
      }
    }
    const [only, another] = await listGrantIds(database, { userId: account.accountId, appId: client.clientId });
    return only === undefined || another !== undefined ? undefined : provider.Grant.find(only.id);
  };
}
