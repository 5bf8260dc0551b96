import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { OWN_LOGIN_LIST, type OwnLoginRow } from './own-login-list.ts';
import type { OwnLogin } from './schemas.ts';

/** A page of the caller's logins, in all organizations. */
export async function listOwnLogins(context: AuthorizedContext, page: PageRequest): Promise<ListPage<OwnLogin>> {
  const { userId, tokenSourceId } = context.principal;
  return OWN_LOGIN_LIST.getPage(context.database, page, { userId }, (row) => presentOwnLogin(row, tokenSourceId));
}

function presentOwnLogin(row: OwnLoginRow, currentId: string): OwnLogin {
  return {
    id: row.id,
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    client_address: row.client_address,
    user_agent: row.user_agent,
    organization_id: row.organization_id,
    is_current: row.id === currentId,
  };
}
