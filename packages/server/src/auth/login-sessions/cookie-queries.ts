import { arrays, many, statement } from '../../database/index.ts';

/** The logins whose cookies have just been used. */
const LOGINS = { user_id: 'text', id: 'text' } as const;

/**
 * Notes that these logins were used; returns the live ones. Skips those that another process is noting or ending,
 * because rows of many users are locked in no common order.
 */
export const updateCookieLoginsSeen = statement({
  name: 'update_cookie_logins_seen',
  parameters: { used: arrays(LOGINS) },
  returns: many<{ user_id: string; id: string }>(),
  sql: ({ used }) => `
    with live as materialized (
      select l.user_id, l.id from ${used} join login_sessions l on l.user_id = used.user_id and l.id = used.id
      where l.by_cookie and l.ended_at is null and l.ends_at > clock_timestamp() for update of l skip locked
    )
    update login_sessions t set last_seen_at = clock_timestamp() from live
    where t.user_id = live.user_id and t.id = live.id returning t.user_id, t.id`,
});

/** Lets the cookies of these logins last a full lifetime from now, but never past the end of the login. */
export const updateCookieTokensRenewed = statement({
  name: 'update_cookie_tokens_renewed',
  parameters: { logins: arrays(LOGINS), ttlSeconds: 'integer' },
  sql: ({ logins, ttlSeconds }) => `
    update bearer_tokens t set expires_at = least(clock_timestamp() + ${ttlSeconds} * interval '1 second', l.ends_at)
    from ${logins} join login_sessions l on l.user_id = logins.user_id and l.id = logins.id
    where t.user_id = l.user_id and t.source_id = l.id and t.revoked_at is null and t.expires_at > clock_timestamp()`,
});

/** Inserts a new secret of a cookie's login. The caller has revoked the old one and holds the lock on the user. */
export const insertCookieToken = statement({
  name: 'insert_cookie_token',
  parameters: { userId: 'text', loginSessionId: 'text', cookieHash: 'bytea', ttlSeconds: 'integer' },
  sql: ({ userId, loginSessionId, cookieHash, ttlSeconds }) => `
    insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, created_at, expires_at)
    select ${cookieHash}, 'session', l.user_id, l.organization_id, l.id, clock_timestamp(),
      least(clock_timestamp() + ${ttlSeconds} * interval '1 second', l.ends_at)
    from login_sessions l where l.user_id = ${userId} and l.id = ${loginSessionId} and l.ended_at is null`,
});
