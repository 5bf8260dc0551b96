import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { appsOf } from './app-rules.ts';
import { OAUTH_APP_LIST } from './oauth-app-list.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import type { OauthApp } from './schemas.ts';
import { listLiveClientSecrets } from './secret-queries.ts';

/** A page of the apps that the caller may see: for an admin, all of the organization's; for others, their own. */
export async function listOauthApps(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<OauthApp>> {
  const { organizationId, createdBy } = appsOf(principal);
  const apps = await OAUTH_APP_LIST.getPage(database, page, { organizationId, createdBy }, (row) => row);
  const appIds = apps.items.map((row) => row.id);
  const secrets = appIds.length === 0 ? [] : await listLiveClientSecrets(database, { organizationId, appIds });
  return { ...apps, items: apps.items.map((row) => presentOauthApp(row, secrets)) };
}
