import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import { appsOf } from './oauth-app-rules.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { listOauthApps as listOauthAppRows, type OauthAppRow } from './queries.ts';
import type { OauthApp } from './schemas.ts';
import { listLiveClientSecrets } from './secret-queries.ts';

/** A page of the apps that the caller may see: an admin all of the organization's, others their own. */
export async function listOauthApps(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<OauthApp>> {
  const rows = await listOauthAppRows(database, appsOf(principal), page);
  const ids = rows.map((row) => row.id);
  const secrets = ids.length === 0 ? [] : await listLiveClientSecrets(database, principal.organizationId, ids);
  return toPage(
    rows,
    page,
    (row) => ({ value: sortValue(row, page.sort), id: row.id }),
    (row) => presentOauthApp(row, secrets),
  );
}

function sortValue(row: OauthAppRow, sort: string): string {
  return sort === 'name' ? row.name : row.created_at.toISOString();
}
