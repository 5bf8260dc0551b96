import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { appsOf } from './app-rules.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { findOauthApp } from './queries.ts';
import type { OauthApp } from './schemas.ts';
import { listLiveClientSecrets } from './secret-queries.ts';

/** An app that the caller may see; throws `not_found`. */
export async function getOauthApp({ database, principal }: AuthorizedContext, id: string): Promise<OauthApp> {
  const row = await findOauthApp(database, { ...appsOf(principal), id });
  if (row === undefined) {
    throw notFound('oauth_app');
  }
  const { organizationId } = principal;
  return presentOauthApp(row, await listLiveClientSecrets(database, { organizationId, appIds: [id] }));
}
