import type { Queries, Statement } from '../../database/index.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow, type TokenOwner } from './queries.ts';

/** A token whose row is locked, with the time at which it was read. */
export interface LockedApiTokenRow extends ApiTokenRow {
  read_at: Date;
}

/** Locks a token of its owner that is not revoked until the transaction ends; undefined when there is none. */
export async function lockApiToken(tx: Queries, owner: TokenOwner, id: string): Promise<LockedApiTokenRow | undefined> {
  return (await tx.query(LOCK_API_TOKEN, [owner.organizationId, id, owner.userId]))[0];
}

/**
 * Gives a token a successor and lets it end after the overlap, unless it expires before; its bearer token with it.
 * Returns undefined, and changes nothing, when it is replaced, revoked or expired by now.
 */
export async function replaceApiToken(
  tx: Queries,
  owner: TokenOwner,
  { id, replacedBy, overlapSeconds }: { id: string; replacedBy: string; overlapSeconds: number },
): Promise<ApiTokenRow | undefined> {
  const values = [owner.organizationId, id, owner.userId, replacedBy, overlapSeconds];
  const [row] = await tx.query(REPLACE_API_TOKEN, values);
  if (row !== undefined) {
    await tx.query(SHORTEN_BEARER_TOKENS, [owner.userId, id, row.expires_at]);
  }
  return row;
}

const LOCK_API_TOKEN: Statement<LockedApiTokenRow> = {
  name: 'lock_api_token',
  text: `select ${API_TOKEN_COLUMNS}, clock_timestamp() as read_at from api_tokens
    where organization_id = $1 and id = $2 and user_id = $3 and revoked_at is null for update`,
};

/** The clock is cut to the column's milliseconds, not rounded: without an overlap the end is never still to come. */
const REPLACE_API_TOKEN: Statement<ApiTokenRow> = {
  name: 'replace_api_token',
  text: `update api_tokens set replaced_by = $4,
      expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()) + $5::integer * interval '1 second')
    where organization_id = $1 and id = $2 and user_id = $3 and revoked_at is null and replaced_by is null
      and (expires_at is null or expires_at > clock_timestamp())
    returning ${API_TOKEN_COLUMNS}`,
};

const SHORTEN_BEARER_TOKENS: Statement<never> = {
  name: 'shorten_bearer_tokens',
  text: `update bearer_tokens set expires_at = least(expires_at, $3::timestamptz)
    where user_id = $1 and source_id = $2 and revoked_at is null`,
};
