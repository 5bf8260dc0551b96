import type { Queries, Statement } from '../../database/index.ts';

/** A challenge that is not open any more, and why. */
export interface ClosedChallenge {
  expires_at: Date;
  is_expired: boolean;
  is_spent: boolean;
}

/** How many codes may be tried on one challenge (contract section 6). */
const ATTEMPTS = 5;
const CHALLENGE_SECONDS = 5 * 60;

/** Writes a challenge and answers when it expires. */
export async function insertChallenge(tx: Queries, tokenHash: Buffer, userId: string): Promise<Date> {
  const [row] = await tx.query(INSERT_CHALLENGE, [tokenHash, userId, CHALLENGE_SECONDS]);
  if (row === undefined) {
    throw new Error('a login challenge was written without an answer');
  }
  return row.expires_at;
}

/**
 * Takes one of the attempts of an open challenge, before the code is looked at, and returns whose it is: of many codes sent at
 * once no more than five are looked at. Undefined where the challenge is unknown, expired, spent or has no attempt left.
 */
export async function takeAttempt(database: Queries, tokenHash: Buffer): Promise<string | undefined> {
  return (await database.query(TAKE_ATTEMPT, [tokenHash, ATTEMPTS]))[0]?.user_id;
}

/** A challenge that allows no more attempts. */
export async function findClosedChallenge(database: Queries, tokenHash: Buffer): Promise<ClosedChallenge | undefined> {
  return (await database.query(FIND_CLOSED_CHALLENGE, [tokenHash, ATTEMPTS]))[0];
}

/** Locks a challenge; returns false when it was spent. The caller holds the user's row. */
export async function lockOpenChallenge(tx: Queries, tokenHash: Buffer): Promise<boolean> {
  return (await tx.query(LOCK_OPEN_CHALLENGE, [tokenHash])).length > 0;
}

/** Spends a challenge, once. */
export async function spendChallenge(tx: Queries, tokenHash: Buffer): Promise<boolean> {
  return (await tx.query(SPEND_CHALLENGE, [tokenHash])).length > 0;
}

/** Spends the open challenges of a user, whose password they rest on has changed. The caller holds the user's row. */
export async function spendChallengesOfUser(tx: Queries, userId: string): Promise<void> {
  await tx.query(SPEND_CHALLENGES_OF_USER, [userId]);
}

/** Deletes at most `limit` challenges that expired before this time; returns how many. */
export async function deleteForgottenChallenges(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_CHALLENGES, [limit, before])).length;
}

const INSERT_CHALLENGE: Statement<{ expires_at: Date }> = {
  name: 'insert_login_challenge',
  text: `insert into login_challenges (token_hash, user_id, created_at, expires_at)
    select $1, $2, n.t, n.t + $3::integer * interval '1 second' from (select clock_timestamp() as t) n
    returning expires_at`,
};

const TAKE_ATTEMPT: Statement<{ user_id: string }> = {
  name: 'take_challenge_attempt',
  text: `update login_challenges set attempts = attempts + 1
    where token_hash = $1 and spent_at is null and attempts < $2 and expires_at > clock_timestamp() returning user_id`,
};

const FIND_CLOSED_CHALLENGE: Statement<ClosedChallenge> = {
  name: 'find_closed_challenge',
  text: `select expires_at, expires_at <= clock_timestamp() as is_expired,
      spent_at is not null or attempts >= $2 as is_spent
    from login_challenges where token_hash = $1`,
};

const LOCK_OPEN_CHALLENGE: Statement<{ user_id: string }> = {
  name: 'lock_open_challenge',
  text: 'select user_id from login_challenges where token_hash = $1 and spent_at is null for update',
};

const SPEND_CHALLENGE: Statement<{ user_id: string }> = {
  name: 'spend_challenge',
  text: `update login_challenges set spent_at = clock_timestamp() where token_hash = $1 and spent_at is null
    returning user_id`,
};

const SPEND_CHALLENGES_OF_USER: Statement<never> = {
  name: 'spend_challenges_of_user',
  text: 'update login_challenges set spent_at = clock_timestamp() where user_id = $1 and spent_at is null',
};

const DELETE_FORGOTTEN_CHALLENGES: Statement<{ user_id: string }> = {
  name: 'delete_forgotten_challenges',
  text: `delete from login_challenges where token_hash = any(array(
      select token_hash from login_challenges where expires_at < $2::timestamptz
      order by expires_at limit $1 for update skip locked
    )) returning user_id`,
};
