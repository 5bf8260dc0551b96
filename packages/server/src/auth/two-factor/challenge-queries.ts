import { count, maybeOne, one, statement } from '../../database/index.ts';

/** A challenge that allows no more attempts, with the reason. */
export interface ClosedChallenge {
  expires_at: Date;
  is_expired: boolean;
  is_spent: boolean;
}

/** How many codes may be tried on one challenge (contract section 6). */
const ATTEMPTS = 5;
const CHALLENGE_SECONDS = 5 * 60;

export const insertChallenge = statement({
  name: 'insert_login_challenge',
  parameters: { tokenHash: 'bytea', userId: 'text' },
  returns: one<{ expires_at: Date }>(),
  sql: ({ tokenHash, userId }) => `
    insert into login_challenges (token_hash, user_id, created_at, expires_at)
    select ${tokenHash}, ${userId}, n.t, n.t + interval '${CHALLENGE_SECONDS} seconds'
    from (select clock_timestamp() as t) n
    returning expires_at`,
});

/**
 * Counts an attempt at a challenge, before the code is checked, and returns the user: of many codes sent at the same
 * time, at most five are checked. Returns nothing if the challenge is unknown, expired or spent, or has no attempts
 * left.
 */
export const updateChallengeAttempts = statement({
  name: 'update_challenge_attempts',
  parameters: { tokenHash: 'bytea' },
  returns: maybeOne<{ user_id: string }>(),
  sql: ({ tokenHash }) => `
    update login_challenges set attempts = attempts + 1
    where token_hash = ${tokenHash} and spent_at is null and attempts < ${ATTEMPTS} and expires_at > clock_timestamp()
    returning user_id`,
});

export const findClosedChallenge = statement({
  name: 'find_closed_challenge',
  parameters: { tokenHash: 'bytea' },
  returns: maybeOne<ClosedChallenge>(),
  sql: ({ tokenHash }) => `
    select expires_at, expires_at <= clock_timestamp() as is_expired,
      spent_at is not null or attempts >= ${ATTEMPTS} as is_spent
    from login_challenges where token_hash = ${tokenHash}`,
});

/** Locks a challenge, unless it was spent. The caller holds the user's row. */
export const lockUnspentChallenge = statement({
  name: 'lock_unspent_challenge',
  parameters: { tokenHash: 'bytea' },
  returns: count(),
  sql: ({ tokenHash }) => `
    select user_id from login_challenges where token_hash = ${tokenHash} and spent_at is null for update`,
});

/** Spends a challenge, once. */
export const updateChallengeSpent = statement({
  name: 'update_challenge_spent',
  parameters: { tokenHash: 'bytea' },
  returns: count(),
  sql: ({ tokenHash }) => `
    update login_challenges set spent_at = clock_timestamp() where token_hash = ${tokenHash} and spent_at is null`,
});

/**
 * Spends all challenges of a user, because the password that they are based on has changed. The caller holds the user's
 * row.
 */
export const updateChallengesOfUserSpent = statement({
  name: 'update_challenges_of_user_spent',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `
    update login_challenges set spent_at = clock_timestamp() where user_id = ${userId} and spent_at is null`,
});

/** Deletes at most `limit` challenges that expired before this time; counts them. */
export const deleteForgottenChallenges = statement({
  name: 'delete_forgotten_challenges',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from login_challenges where token_hash = any(array(
      select token_hash from login_challenges where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked
    ))`,
});
