import { many, type Queries, statement } from '../database/index.ts';
import type { MemberTokenKind } from '../http/index.ts';

/** What a token belongs to, valid or not. */
export interface TokenSource {
  /** The login session, API token, OAuth grant or operator token that is revoked with it. */
  id: string;
  kind: MemberTokenKind | 'operator';
  /** Empty for an operator token. */
  userId: string;
  organizationId: string;
}

/** What each of these tokens belongs to, except for refresh tokens of OAuth; undefined for unknown and deleted ones. */
export async function findTokenSources(
  database: Queries,
  hashes: readonly Buffer[],
): Promise<ReadonlyArray<TokenSource | undefined>> {
  const rows = await listTokenSources(database, { hashes });
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return hashes.map((_hash, index) => {
    const row = byPosition.get(index + 1);
    return row && { id: row.id, kind: row.kind, userId: row.user_id, organizationId: row.organization_id };
  });
}

interface TokenSourceRow {
  position: number;
  id: string;
  kind: TokenSource['kind'];
  user_id: string;
  organization_id: string;
}

const listTokenSources = statement({
  name: 'list_token_sources',
  parameters: { hashes: 'bytea[]' },
  returns: many<TokenSourceRow>(),
  sql: ({ hashes }) => `
    with asked as materialized (
      select token_hash, position::int from unnest(${hashes}) with ordinality as a (token_hash, position)
    )
    select a.position, b.source_id as id, b.kind, b.user_id, b.organization_id
      from asked a join bearer_tokens b on b.token_hash = a.token_hash
    union all
    select a.position, l.id, 'session', l.user_id, l.organization_id
      from asked a join refresh_tokens r on r.token_hash = a.token_hash
      join login_sessions l on l.user_id = r.user_id and l.id = r.login_session_id
    union all
    select a.position, o.id, 'operator', '', '' from asked a join operator_tokens o on o.token_hash = a.token_hash`,
});
