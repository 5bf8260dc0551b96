import { isSameKey, keysIn, type Queries, type Statement } from '../../database/index.ts';

/** Deletes at most `limit` API tokens that ended before this time; returns how many. */
export async function deleteForgottenApiTokens(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_API_TOKENS, [limit, before])).length;
}

/** Deletes at most `limit` operator tokens that ended before this time; returns how many. */
export async function deleteForgottenOperatorTokens(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_OPERATOR_TOKENS, [limit, before])).length;
}

const KEY = ['organization_id', 'id'];

const DELETE_FORGOTTEN_API_TOKENS: Statement<{ id: string }> = {
  name: 'delete_forgotten_api_tokens',
  text: `with d as materialized (
      select organization_id, id from api_tokens
      where (revoked_at is not null or expires_at is not null) and least(revoked_at, expires_at) < $2::timestamptz
      order by least(revoked_at, expires_at) limit $1 for update skip locked
    )
    delete from api_tokens t using ${keysIn('d', KEY)} where ${isSameKey('t', KEY)} returning t.id`,
};

const DELETE_FORGOTTEN_OPERATOR_TOKENS: Statement<{ id: string }> = {
  name: 'delete_forgotten_operator_tokens',
  text: `delete from operator_tokens where id = any(array(
      select id from operator_tokens where least(revoked_at, expires_at) < $2::timestamptz
      order by least(revoked_at, expires_at) limit $1 for update skip locked
    )) returning id`,
};
