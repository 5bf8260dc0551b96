import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import { listLiveLogins, type OwnLoginRow } from './queries.ts';
import type { OwnLogin } from './schemas.ts';

/** A page of the logins of the user who asks, whatever organization they act in. */
export async function listOwnLogins(context: AuthorizedContext, page: PageRequest): Promise<ListPage<OwnLogin>> {
  const { userId, tokenSourceId } = context.principal;
  const rows = await listLiveLogins(context.database, userId, page);
  return toPage(
    rows,
    page,
    (row) => ({ value: row.created_at.toISOString(), id: row.id }),
    (row) => presentOwnLogin(row, tokenSourceId),
  );
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
