import { count, isSameKey, keysIn, statement } from '../../database/index.ts';

const KEY = ['organization_id', 'id'];

/** Deletes at most `limit` API tokens that ended before this time; counts them. */
export const deleteForgottenApiTokens = statement({
  name: 'delete_forgotten_api_tokens',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    with d as materialized (
      select organization_id, id from api_tokens
      where (revoked_at is not null or expires_at is not null) and least(revoked_at, expires_at) < ${before}
      order by least(revoked_at, expires_at) limit ${limit} for update skip locked
    )
    delete from api_tokens t using ${keysIn('d', KEY)} where ${isSameKey('t', KEY)}`,
});

/** Deletes at most `limit` operator tokens that ended before this time; counts them. */
export const deleteForgottenOperatorTokens = statement({
  name: 'delete_forgotten_operator_tokens',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from operator_tokens where id = any(array(
      select id from operator_tokens where least(revoked_at, expires_at) < ${before}
      order by least(revoked_at, expires_at) limit ${limit} for update skip locked
    ))`,
});
