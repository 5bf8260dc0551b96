import { maybeOne, statement } from '../../database/index.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './queries.ts';

/** A token whose row is locked, with the time at which it was read. */
export interface LockedApiTokenRow extends ApiTokenRow {
  read_at: Date;
}

/** Locks a token of its owner that is not revoked until the transaction ends. */
export const lockApiToken = statement({
  name: 'lock_api_token',
  parameters: { organizationId: 'text', userId: 'text', id: 'text' },
  returns: maybeOne<LockedApiTokenRow>(),
  sql: ({ organizationId, userId, id }) => `
    select ${API_TOKEN_COLUMNS}, clock_timestamp() as read_at from api_tokens
    where organization_id = ${organizationId} and id = ${id} and user_id = ${userId} and revoked_at is null for update`,
});

/**
 * Gives a token a successor and lets it expire after the overlap, unless it expires earlier. Changes nothing if it has
 * been replaced or revoked or has expired. The clock is truncated to milliseconds, not rounded, so that without an
 * overlap the expiry is never in the future.
 */
export const updateApiTokenReplaced = statement({
  name: 'update_api_token_replaced',
  parameters: { organizationId: 'text', userId: 'text', id: 'text', replacedBy: 'text', overlapSeconds: 'integer' },
  returns: maybeOne<ApiTokenRow>(),
  sql: ({ organizationId, userId, id, replacedBy, overlapSeconds }) => `
    update api_tokens set replaced_by = ${replacedBy}, expires_at = least(expires_at,
      date_trunc('milliseconds', clock_timestamp()) + ${overlapSeconds} * interval '1 second')
    where organization_id = ${organizationId} and id = ${id} and user_id = ${userId} and revoked_at is null
      and replaced_by is null and (expires_at is null or expires_at > clock_timestamp())
    returning ${API_TOKEN_COLUMNS}`,
});
