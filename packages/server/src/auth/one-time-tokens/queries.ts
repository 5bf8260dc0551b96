import type { Queries, Statement } from '../../database/index.ts';

/** What a secret that was mailed proves. */
export type OneTimePurpose = 'reset_password' | 'verify_email';

/** A mailed secret with the user whose address it was sent to, as it stood when it was read. */
export interface OneTimeTokenRow {
  user_id: string;
  email: string;
  name: string;
  expires_at: Date;
  is_spent: boolean;
  is_expired: boolean;
}

/** A secret about to be mailed to a user. */
export interface NewOneTimeToken {
  hash: Buffer;
  userId: string;
}

/**
 * Writes secrets, except for users who were sent `atMost` of this purpose within the hour; returns whose were written. The
 * caller holds the lock on the users, so that two at once do not both count the same.
 */
export async function insertOneTimeTokens(
  tx: Queries,
  purpose: OneTimePurpose,
  tokens: readonly NewOneTimeToken[],
  limits: { ttlSeconds: number; atMost: number },
): Promise<string[]> {
  const hashes = tokens.map((token) => token.hash);
  const userIds = tokens.map((token) => token.userId);
  const written = await tx.query(INSERT_ONE_TIME_TOKENS, [hashes, userIds, purpose, limits.ttlSeconds, limits.atMost]);
  return written.map((row) => row.user_id);
}

/** A secret of this purpose, alive or not, or undefined when it is unknown. */
export async function findOneTimeToken(
  database: Queries,
  purpose: OneTimePurpose,
  hash: Buffer,
): Promise<OneTimeTokenRow | undefined> {
  return (await database.query(FIND_ONE_TIME_TOKEN, [hash, purpose]))[0];
}

/** Spends a secret; returns false when it is spent, expired or unknown. However many try at once, one succeeds. */
export async function spendOneTimeToken(tx: Queries, purpose: OneTimePurpose, hash: Buffer): Promise<boolean> {
  return (await tx.query(SPEND_ONE_TIME_TOKEN, [hash, purpose])).length > 0;
}

/** Spends every secret of this purpose that a user was sent and has not used. */
export async function spendOneTimeTokensOfUser(tx: Queries, purpose: OneTimePurpose, userId: string): Promise<void> {
  await tx.query(SPEND_ONE_TIME_TOKENS_OF_USER, [userId, purpose]);
}

/** Deletes at most `limit` secrets that expired before this time; returns how many. */
export async function deleteForgottenOneTimeTokens(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_ONE_TIME_TOKENS, [limit, before])).length;
}

const INSERT_ONE_TIME_TOKENS: Statement<{ user_id: string }> = {
  name: 'insert_one_time_tokens',
  text: `insert into one_time_tokens (token_hash, purpose, user_id, created_at, expires_at)
    select w.token_hash, $3::text, w.user_id, n.t, n.t + $4::integer * interval '1 second'
    from (select clock_timestamp() as t) n, unnest($1::bytea[], $2::text[]) as w (token_hash, user_id)
    where (
      select count(*) from one_time_tokens o
      where o.user_id = w.user_id and o.purpose = $3::text and o.created_at > n.t - interval '1 hour'
    ) < $5::integer
    returning user_id`,
};

const FIND_ONE_TIME_TOKEN: Statement<OneTimeTokenRow> = {
  name: 'find_one_time_token',
  text: `select o.user_id, u.email, u.name, o.expires_at, o.spent_at is not null as is_spent,
      o.expires_at <= clock_timestamp() as is_expired
    from one_time_tokens o join users u on u.id = o.user_id
    where o.token_hash = $1 and o.purpose = $2`,
};

const SPEND_ONE_TIME_TOKEN: Statement<{ user_id: string }> = {
  name: 'spend_one_time_token',
  text: `update one_time_tokens set spent_at = clock_timestamp()
    where token_hash = $1 and purpose = $2 and spent_at is null and expires_at > clock_timestamp()
    returning user_id`,
};

const SPEND_ONE_TIME_TOKENS_OF_USER: Statement<never> = {
  name: 'spend_one_time_tokens_of_user',
  text: `update one_time_tokens set spent_at = clock_timestamp()
    where user_id = $1 and purpose = $2 and spent_at is null`,
};

const DELETE_FORGOTTEN_ONE_TIME_TOKENS: Statement<{ user_id: string }> = {
  name: 'delete_forgotten_one_time_tokens',
  text: `delete from one_time_tokens where token_hash = any(array(
      select token_hash from one_time_tokens where expires_at < $2::timestamptz
      order by expires_at limit $1 for update skip locked
    )) returning user_id`,
};
