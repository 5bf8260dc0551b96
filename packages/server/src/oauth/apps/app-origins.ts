import type { Queries } from '../../database/index.ts';
import type { AppOrigins } from '../../http/index.ts';
import { findGrantRedirectUris, hasAppOrigin } from './origin-queries.ts';

/** The origins of redirect URIs that browsers open as pages; those of other apps' own schemes have none. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const pages = redirectUris.filter((uri) => /^https?:/.test(uri));
  return [...new Set(pages.map((uri) => new URL(uri).origin))];
}

/** What the API's answers to other sites are decided by. */
export function createAppOrigins(database: Queries): AppOrigins {
  return {
    isOfSomeApp: (origin) => hasAppOrigin(database, origin),
    isOfAppOf: async ({ organizationId, tokenSourceId }, origin) =>
      originsOf(await findGrantRedirectUris(database, organizationId, tokenSourceId)).includes(origin),
  };
}
