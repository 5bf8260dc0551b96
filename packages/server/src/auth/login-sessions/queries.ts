import { isSameKey, keysIn, type Queries, type Statement } from '../../database/index.ts';

/** A refresh token and its login, with the database's time at which both were read. */
export interface RefreshTokenRow {
  user_id: string;
  login_session_id: string;
  organization_id: string;
  ends_at: Date;
  has_ended: boolean;
  expires_at: Date;
  used_at: Date | null;
  answer: Buffer | null;
  read_at: Date;
}

/** A login about to be written, with the hashes and lives of its first tokens. */
export interface NewLoginSession {
  userId: string;
  id: string;
  organizationId: string;
  clientAddress: string;
  userAgent: string | null;
  accessHash: Buffer;
  accessTtlSeconds: number;
  refreshHash: Buffer;
  refreshTtlSeconds: number;
}

/** The successors of a refresh token, with the answer that is kept for those who ask again. */
export interface Successors {
  accessHash: Buffer;
  accessExpiresAt: Date;
  refreshHash: Buffer;
  refreshExpiresAt: Date;
  answer: Buffer;
}

/** Writes a login with its first access and refresh token; returns when the access token expires. */
export async function insertLoginSession(tx: Queries, login: NewLoginSession): Promise<Date> {
  const [row] = await tx.query(INSERT_LOGIN_SESSION, [
    login.userId,
    login.id,
    login.organizationId,
    login.accessHash,
    login.accessTtlSeconds,
    login.refreshHash,
    login.refreshTtlSeconds,
    login.clientAddress,
    login.userAgent,
  ]);
  if (row === undefined) {
    throw new Error('a login session was written without an answer');
  }
  return row.expires_at;
}

/** Makes all that happens to the login of this refresh token happen one after the other, on any process. */
export async function lockLoginSessionByRefreshToken(tx: Queries, hash: Buffer): Promise<void> {
  await tx.query(LOCK_LOGIN_SESSION_BY_REFRESH_TOKEN, [hash]);
}

/** A refresh token, used or not, with its login. */
export async function findRefreshToken(database: Queries, hash: Buffer): Promise<RefreshTokenRow | undefined> {
  return (await database.query(FIND_REFRESH_TOKEN, [hash]))[0];
}

/** Marks a refresh token as used and writes its successors. The caller holds the lock on the login. */
export async function insertSuccessors(
  tx: Queries,
  hash: Buffer,
  used: RefreshTokenRow,
  successors: Successors,
): Promise<void> {
  await tx.query(INSERT_SUCCESSORS, [
    hash,
    used.read_at,
    successors.answer,
    used.user_id,
    used.login_session_id,
    used.organization_id,
    successors.accessHash,
    successors.accessExpiresAt,
    successors.refreshHash,
    successors.refreshExpiresAt,
  ]);
}

/** Marks a login as over, which ends its refresh tokens; returns false when it is over already, or another's. */
export async function updateLoginSessionEnded(tx: Queries, userId: string, id: string): Promise<boolean> {
  return (await tx.query(UPDATE_LOGIN_SESSION_ENDED, [userId, id])).length > 0;
}

/** Locks a login against its end until the transaction is over; returns false when it is over already. */
export async function lockLoginSessionLive(tx: Queries, userId: string, id: string): Promise<boolean> {
  return (await tx.query(LOCK_LOGIN_SESSION_LIVE, [userId, id])).length > 0;
}

/** Marks all logins of a user as over, except the one named; returns which. */
export async function updateLoginSessionsOfUserEnded(
  tx: Queries,
  userId: string,
  exceptId: string | undefined,
): Promise<string[]> {
  const ended = await tx.query(UPDATE_LOGIN_SESSIONS_OF_USER_ENDED, [userId, exceptId ?? '']);
  return ended.map((row) => row.id);
}

/** Forgets kept answers older than 10 s, at most `limit`; returns how many. */
export async function deleteKeptAnswers(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_KEPT_ANSWERS, [limit])).length;
}

/** Deletes at most `limit` refresh tokens that expired before this time; returns how many. */
export async function deleteForgottenRefreshTokens(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_REFRESH_TOKENS, [limit, before])).length;
}

/** Deletes at most `limit` logins that ended before this time; returns how many. */
export async function deleteForgottenLoginSessions(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_LOGIN_SESSIONS, [limit, before])).length;
}

/** One clock reading for all three rows; no token outlives its login. */
const INSERT_LOGIN_SESSION: Statement<{ expires_at: Date }> = {
  name: 'insert_login_session',
  text: `with login as (
      insert into login_sessions
        (user_id, id, organization_id, created_at, ends_at, client_address, user_agent, last_seen_at)
      select $1::text, $2::text, $3::text, n.t, n.t + interval '90 days', $8::text, $9::text, n.t from (select clock_timestamp() as t) n
      returning created_at, ends_at
    ), access as (
      insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
      select $4::bytea, 'session', $1::text, $3::text, $2::text, created_at,
        least(created_at + $5::integer * interval '1 second', ends_at)
      from login returning expires_at
    ), refresh as (
      insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at)
      select $6::bytea, $1::text, $2::text, created_at,
        least(created_at + $7::integer * interval '1 second', ends_at)
      from login
    )
    select expires_at from access`,
};

const LOCK_LOGIN_SESSION_BY_REFRESH_TOKEN: Statement<{ id: string }> = {
  name: 'lock_login_session_by_refresh_token',
  text: `select id from login_sessions
    where (user_id, id) = (select user_id, login_session_id from refresh_tokens where token_hash = $1)
    for update`,
};

const FIND_REFRESH_TOKEN: Statement<RefreshTokenRow> = {
  name: 'find_refresh_token',
  text: `select r.user_id, r.login_session_id, l.organization_id, l.ends_at, l.ended_at is not null as has_ended,
      r.expires_at, r.used_at, r.answer, clock_timestamp() as read_at
    from refresh_tokens r join login_sessions l on l.user_id = r.user_id and l.id = r.login_session_id
    where r.token_hash = $1`,
};

const INSERT_SUCCESSORS: Statement<never> = {
  name: 'insert_successors',
  text: `with used as (
      update refresh_tokens set used_at = $2::timestamptz, answer = $3 where token_hash = $1
    ), seen as (
      update login_sessions set last_seen_at = $2::timestamptz where user_id = $4::text and id = $5::text
    ), access as (
      insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
      values ($7, 'session', $4::text, $6, $5::text, $2::timestamptz, $8)
    )
    insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at)
    values ($9, $4::text, $5::text, $2::timestamptz, $10)`,
};

const UPDATE_LOGIN_SESSION_ENDED: Statement<{ id: string }> = {
  name: 'update_login_session_ended',
  text: `update login_sessions set ended_at = clock_timestamp()
    where user_id = $1 and id = $2 and ended_at is null returning id`,
};

const LOCK_LOGIN_SESSION_LIVE: Statement<{ id: string }> = {
  name: 'lock_login_session_live',
  text: 'select id from login_sessions where user_id = $1 and id = $2 and ended_at is null for share',
};

const UPDATE_LOGIN_SESSIONS_OF_USER_ENDED: Statement<{ id: string }> = {
  name: 'update_login_sessions_of_user_ended',
  text: `update login_sessions set ended_at = clock_timestamp()
    where user_id = $1 and id <> $2 and ended_at is null returning id`,
};

const DELETE_KEPT_ANSWERS: Statement<{ login_session_id: string }> = {
  name: 'delete_kept_answers',
  text: `update refresh_tokens set answer = null where token_hash = any(array(
      select token_hash from refresh_tokens
      where answer is not null and used_at < (select clock_timestamp() - interval '10 seconds')
      order by used_at limit $1 for update skip locked
    )) returning login_session_id`,
};

const DELETE_FORGOTTEN_REFRESH_TOKENS: Statement<{ login_session_id: string }> = {
  name: 'delete_forgotten_refresh_tokens',
  text: `delete from refresh_tokens where token_hash = any(array(
      select token_hash from refresh_tokens where expires_at < $2::timestamptz
      order by expires_at limit $1 for update skip locked
    )) returning login_session_id`,
};

const DELETE_FORGOTTEN_LOGIN_SESSIONS: Statement<{ id: string }> = {
  name: 'delete_forgotten_login_sessions',
  text: `with gone as materialized (
      select user_id, id from login_sessions where ends_at < $2::timestamptz
      order by ends_at limit $1 for update skip locked
    )
    delete from login_sessions t using ${keysIn('gone', ['user_id', 'id'])}
    where ${isSameKey('t', ['user_id', 'id'])} returning t.id`,
};
