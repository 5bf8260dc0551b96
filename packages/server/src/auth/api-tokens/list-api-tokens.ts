import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import { presentApiToken } from './present-api-token.ts';
import { type ApiTokenRow, listApiTokens as listApiTokenRows } from './queries.ts';
import type { ApiToken } from './schemas.ts';

/** A page of the API tokens that the user made in the present organization. */
export async function listApiTokens(context: AuthorizedContext, page: PageRequest): Promise<ListPage<ApiToken>> {
  const rows = await listApiTokenRows(context.database, context.principal, page);
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), presentApiToken);
}

function sortValue(row: ApiTokenRow, sort: string): string {
  return sort === 'name' ? row.name : row.created_at.toISOString();
}
