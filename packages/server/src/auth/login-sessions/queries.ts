import {
  anyRow,
  count,
  defineDueCheck,
  isSameKey,
  keysIn,
  many,
  maybeOne,
  one,
  statement,
} from '../../database/index.ts';

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

/**
 * Inserts a login with its first access and refresh token; returns when the access token expires. One clock reading for all
 * three rows; no token outlives its login.
 */
export const insertLoginSession = statement({
  name: 'insert_login_session',
  parameters: {
    userId: 'text',
    id: 'text',
    organizationId: 'text',
    passedTwoFactor: 'boolean',
    clientAddress: 'text',
    userAgent: 'text | null',
    accessHash: 'bytea',
    accessTtlSeconds: 'integer',
    refreshHash: 'bytea',
    refreshTtlSeconds: 'integer',
  },
  returns: one<{ expires_at: Date }>(),
  sql: ({ userId, id, organizationId, accessHash, refreshHash, ...login }) => `
    with login as (
      insert into login_sessions
        (user_id, id, organization_id, created_at, ends_at, client_address, user_agent, last_seen_at, passed_two_factor)
      select ${userId}, ${id}, ${organizationId}, n.t, n.t + interval '90 days', ${login.clientAddress},
        ${login.userAgent}, n.t, ${login.passedTwoFactor}
      from (select clock_timestamp() as t) n
      returning created_at, ends_at
    ), access as (
      insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
      select ${accessHash}, 'session', ${userId}, ${organizationId}, ${id}, created_at,
        least(created_at + ${login.accessTtlSeconds} * interval '1 second', ends_at)
      from login returning expires_at
    ), refresh as (
      insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at)
      select ${refreshHash}, ${userId}, ${id}, created_at,
        least(created_at + ${login.refreshTtlSeconds} * interval '1 second', ends_at)
      from login
    )
    select expires_at from access`,
});

/**
 * Inserts a login whose secret is a cookie, without a refresh token; returns when it ends unless it is used. Its use renews it
 * (`updateCookieTokensRenewed`), never past the login's end.
 */
export const insertCookieLogin = statement({
  name: 'insert_cookie_login',
  parameters: {
    userId: 'text',
    id: 'text',
    organizationId: 'text',
    passedTwoFactor: 'boolean',
    clientAddress: 'text',
    userAgent: 'text | null',
    cookieHash: 'bytea',
    ttlSeconds: 'integer',
  },
  returns: one<{ expires_at: Date }>(),
  sql: ({ userId, id, organizationId, cookieHash, ttlSeconds, ...login }) => `
    with login as (
      insert into login_sessions
        (user_id, id, organization_id, created_at, ends_at, client_address, user_agent, last_seen_at, passed_two_factor,
         by_cookie)
      select ${userId}, ${id}, ${organizationId}, n.t, n.t + interval '90 days', ${login.clientAddress},
        ${login.userAgent}, n.t, ${login.passedTwoFactor}, true
      from (select clock_timestamp() as t) n
      returning created_at, ends_at
    )
    insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
    select ${cookieHash}, 'session', ${userId}, ${organizationId}, ${id}, created_at,
      least(created_at + ${ttlSeconds} * interval '1 second', ends_at)
    from login returning expires_at`,
});

/** Serializes all changes to the login of this refresh token, across processes. */
export const lockLoginSessionByRefreshToken = statement({
  name: 'lock_login_session_by_refresh_token',
  parameters: { hash: 'bytea' },
  sql: ({ hash }) => `
    select id from login_sessions
    where (user_id, id) = (select user_id, login_session_id from refresh_tokens where token_hash = ${hash})
    for update`,
});

/** A refresh token, used or not, with its login. */
export const findRefreshToken = statement({
  name: 'find_refresh_token',
  parameters: { hash: 'bytea' },
  returns: maybeOne<RefreshTokenRow>(),
  sql: ({ hash }) => `
    select r.user_id, r.login_session_id, l.organization_id, l.ends_at, l.ended_at is not null as has_ended,
      r.expires_at, r.used_at, r.answer, clock_timestamp() as read_at
    from refresh_tokens r join login_sessions l on l.user_id = r.user_id and l.id = r.login_session_id
    where r.token_hash = ${hash}`,
});

/**
 * Marks a refresh token as used and inserts its successors, with the response that is stored for repeated requests. The
 * caller holds the lock on the login.
 */
export const insertSuccessors = statement({
  name: 'insert_successors',
  parameters: {
    hash: 'bytea',
    usedAt: 'timestamptz',
    answer: 'bytea',
    userId: 'text',
    loginSessionId: 'text',
    organizationId: 'text',
    accessHash: 'bytea',
    accessExpiresAt: 'timestamptz',
    refreshHash: 'bytea',
    refreshExpiresAt: 'timestamptz',
  },
  sql: ({ hash, usedAt, answer, userId, loginSessionId, organizationId, ...successor }) => `
    with used as (
      update refresh_tokens set used_at = ${usedAt}, answer = ${answer} where token_hash = ${hash}
    ), seen as (
      update login_sessions set last_seen_at = ${usedAt} where user_id = ${userId} and id = ${loginSessionId}
    ), access as (
      insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
      values (${successor.accessHash}, 'session', ${userId}, ${organizationId}, ${loginSessionId}, ${usedAt},
        ${successor.accessExpiresAt})
    )
    insert into refresh_tokens (token_hash, user_id, login_session_id, created_at, expires_at)
    values (${successor.refreshHash}, ${userId}, ${loginSessionId}, ${usedAt}, ${successor.refreshExpiresAt})`,
});

/**
 * Marks a login as ended, which ends its refresh tokens. Changes nothing if it has already ended or belongs to another
 * user.
 */
export const updateLoginSessionEnded = statement({
  name: 'update_login_session_ended',
  parameters: { userId: 'text', id: 'text' },
  returns: count(),
  sql: ({ userId, id }) => `
    update login_sessions set ended_at = clock_timestamp()
    where user_id = ${userId} and id = ${id} and ended_at is null`,
});

/** Keeps a login from ending until the transaction ends, unless it has already ended. */
export const lockLiveLoginSession = statement({
  name: 'lock_live_login_session',
  parameters: { userId: 'text', id: 'text' },
  returns: count(),
  sql: ({ userId, id }) => `
    select id from login_sessions where user_id = ${userId} and id = ${id} and ended_at is null for share`,
});

/** Marks all logins of a user as ended, except the given one. */
export const updateLoginSessionsOfUserEnded = statement({
  name: 'update_login_sessions_of_user_ended',
  parameters: { userId: 'text', exceptId: 'text' },
  returns: many<{ id: string }>(),
  sql: ({ userId, exceptId }) => `
    update login_sessions set ended_at = clock_timestamp()
    where user_id = ${userId} and id <> ${exceptId} and ended_at is null returning id`,
});

const KEPT_ANSWERS = `select token_hash from refresh_tokens
      where answer is not null and used_at < (select clock_timestamp() - interval '10 seconds')
      order by used_at`;

export const keptAnswersAreOver = defineDueCheck({
  name: 'kept_answers_are_over',
  sql: () => anyRow(`${KEPT_ANSWERS} limit 1`),
});

/** Clears kept answers older than 10 s, at most `limit`; counts them. */
export const deleteKeptAnswers = statement({
  name: 'delete_kept_answers',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `
    update refresh_tokens set answer = null where token_hash = any(array(
      ${KEPT_ANSWERS} limit ${limit} for update skip locked
    ))`,
});

/** Deletes at most `limit` refresh tokens that expired before this time; counts them. */
export const deleteForgottenRefreshTokens = statement({
  name: 'delete_forgotten_refresh_tokens',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from refresh_tokens where token_hash = any(array(
      select token_hash from refresh_tokens where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked
    ))`,
});

/** Deletes at most `limit` logins that ended before this time; counts them. */
export const deleteForgottenLoginSessions = statement({
  name: 'delete_forgotten_login_sessions',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    with gone as materialized (
      select user_id, id from login_sessions where ends_at < ${before}
      order by ends_at limit ${limit} for update skip locked
    )
    delete from login_sessions t using ${keysIn('gone', ['user_id', 'id'])}
    where ${isSameKey('t', ['user_id', 'id'])}`,
});
