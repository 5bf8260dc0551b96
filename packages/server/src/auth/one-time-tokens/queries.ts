import { arrays, count, many, maybeOne, statement } from '../../database/index.ts';

/** A mailed secret and its recipient, as read. */
export interface OneTimeTokenRow {
  user_id: string;
  expires_at: Date;
  is_spent: boolean;
  is_expired: boolean;
}

/**
 * Inserts secrets, except for users who were sent `atMost` of this purpose within the hour; returns the users whose
 * secrets were inserted. The caller holds the lock on the users, so that concurrent calls count correctly.
 */
export const insertOneTimeTokens = statement({
  name: 'insert_one_time_tokens',
  parameters: {
    purpose: 'text',
    tokens: arrays({ token_hash: 'bytea', user_id: 'text' }),
    ttlSeconds: 'integer',
    atMost: 'integer',
  },
  returns: many<{ user_id: string }>(),
  sql: ({ purpose, tokens, ttlSeconds, atMost }) => `
    insert into one_time_tokens (token_hash, purpose, user_id, created_at, expires_at)
    select tokens.token_hash, ${purpose}, tokens.user_id, n.t, n.t + ${ttlSeconds} * interval '1 second'
    from (select clock_timestamp() as t) n, ${tokens}
    where (
      select count(*) from one_time_tokens o
      where o.user_id = tokens.user_id and o.purpose = ${purpose} and o.created_at > n.t - interval '1 hour'
    ) < ${atMost}
    returning user_id`,
});

/** A secret of this purpose, valid or not. */
export const findOneTimeToken = statement({
  name: 'find_one_time_token',
  parameters: { purpose: 'text', hash: 'bytea' },
  returns: maybeOne<OneTimeTokenRow>(),
  sql: ({ purpose, hash }) => `
    select user_id, expires_at, spent_at is not null as is_spent, expires_at <= clock_timestamp() as is_expired
    from one_time_tokens where token_hash = ${hash} and purpose = ${purpose}`,
});

/** Spends a valid secret. Only one of several concurrent attempts succeeds. */
export const updateOneTimeTokenSpent = statement({
  name: 'update_one_time_token_spent',
  parameters: { purpose: 'text', hash: 'bytea' },
  returns: count(),
  sql: ({ purpose, hash }) => `
    update one_time_tokens set spent_at = clock_timestamp()
    where token_hash = ${hash} and purpose = ${purpose} and spent_at is null and expires_at > clock_timestamp()`,
});

/** Spends every secret of this purpose that a user was sent and has not used. */
export const updateOneTimeTokensOfUserSpent = statement({
  name: 'update_one_time_tokens_of_user_spent',
  parameters: { purpose: 'text', userId: 'text' },
  sql: ({ purpose, userId }) => `
    update one_time_tokens set spent_at = clock_timestamp()
    where user_id = ${userId} and purpose = ${purpose} and spent_at is null`,
});

/** Deletes at most `limit` secrets that expired before this time; counts them. */
export const deleteForgottenOneTimeTokens = statement({
  name: 'delete_forgotten_one_time_tokens',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from one_time_tokens where token_hash = any(array(
      select token_hash from one_time_tokens where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked
    ))`,
});
