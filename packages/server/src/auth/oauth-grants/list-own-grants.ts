import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import { presentGrant } from './present-grant.ts';
import { listGrantsOfUser } from './queries.ts';
import type { OauthGrant } from './schemas.ts';

/** A page of what apps may do for the caller, in all organizations. */
export async function listOwnGrants(context: AuthorizedContext, page: PageRequest): Promise<ListPage<OauthGrant>> {
  const rows = await listGrantsOfUser(context.database, context.principal.userId, page);
  return toPage(rows, page, (row) => ({ value: row.created_at.toISOString(), id: row.id }), presentGrant);
}
