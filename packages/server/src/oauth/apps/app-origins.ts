import type { Queries } from '../../database/index.ts';
import type { AppOrigins } from '../../http/index.ts';
import { findAppOfOrigin, findGrantRedirectUris } from './origin-queries.ts';

/** The origins of redirect URIs that browsers open as pages; private-use schemes have none. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const pages = redirectUris.filter((uri) => /^https?:/.test(uri));
  return [...new Set(pages.map((uri) => new URL(uri).origin))];
}

/** Creates the checks that decide which other sites may read the API's responses. */
export function createAppOrigins(database: Queries): AppOrigins {
  return {
    isOfSomeApp: async (origin) => (await findAppOfOrigin(database, { origin })) !== undefined,
    isOfAppOf: async ({ organizationId, tokenSourceId: grantId }, origin) => {
      const app = await findGrantRedirectUris(database, { organizationId, grantId });
      return originsOf(app?.redirect_uris ?? []).includes(origin);
    },
  };
}
