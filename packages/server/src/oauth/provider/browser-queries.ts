import { maybeOne, statement } from '../../database/index.ts';
import type { ArtifactRow } from './artifact-queries.ts';

/**
 * Upserts a browser's interaction in progress, or a session without a user. But not if the user's password was changed
 * after their login was proved (`provedAt`, in seconds since 1970), because it would outlive everything that the change
 * ended. The user's row is locked, so that a password change being committed is waited for, and seen.
 */
export const upsertBrowserArtifact = statement({
  name: 'upsert_browser_artifact',
  parameters: {
    model: 'text',
    idHash: 'bytea',
    payload: 'bytea',
    userId: 'text | null',
    provedAt: 'float8 | null',
    uidHash: 'bytea | null',
    ttlSeconds: 'integer',
  },
  sql: ({ model, idHash, payload, userId, provedAt, uidHash, ttlSeconds }) => `
    with owner as materialized (
      select id from users where id = ${userId}
        and (${provedAt} is null or password_changed_at is null or password_changed_at < to_timestamp(${provedAt}))
      for share
    )
    insert into oauth_artifacts (model, id_hash, payload, user_id, uid_hash, created_at, expires_at)
    select ${model}, ${idHash}, ${payload}, ${userId}, ${uidHash}, n.t, n.t + ${ttlSeconds} * interval '1 second'
    from (select clock_timestamp() as t) n
    where ${userId} is null or exists (select 1 from owner)
    on conflict (model, id_hash) do update set
      payload = excluded.payload, user_id = excluded.user_id, expires_at = excluded.expires_at`,
});

/**
 * Inserts a browser's login that has just been proved, replacing the object under its former name, but not if the
 * password was changed after the proof. Locks like `upsertBrowserArtifact`. `publicId` is the login's ID in its user's
 * list of logins.
 */
export const insertBrowserLogin = statement({
  name: 'insert_browser_login',
  parameters: {
    idHash: 'bytea',
    formerHash: 'bytea',
    payload: 'bytea',
    userId: 'text',
    provedAt: 'float8',
    uidHash: 'bytea',
    ttlSeconds: 'integer',
    publicId: 'text',
    clientAddress: 'text',
    userAgent: 'text | null',
  },
  sql: ({ idHash, formerHash, payload, userId, provedAt, uidHash, ttlSeconds, ...login }) => `
    with owner as materialized (
      select id from users
      where id = ${userId} and (password_changed_at is null or password_changed_at < to_timestamp(${provedAt}))
      for share
    ), former as (
      delete from oauth_artifacts where model = 'Session' and id_hash = ${formerHash} and id_hash <> ${idHash}
    )
    insert into oauth_artifacts (model, id_hash, payload, user_id, uid_hash, created_at, last_seen_at, expires_at,
      public_id, client_address, user_agent)
    select 'Session', ${idHash}, ${payload}, owner.id, ${uidHash}, n.t, n.t, n.t + ${ttlSeconds} * interval '1 second',
      ${login.publicId}, ${login.clientAddress}, ${login.userAgent}
    from owner, (select clock_timestamp() as t) n
    on conflict (model, id_hash) do update set
      payload = excluded.payload, last_seen_at = excluded.last_seen_at, expires_at = excluded.expires_at,
      user_id = excluded.user_id, created_at = excluded.created_at, public_id = excluded.public_id,
      client_address = excluded.client_address, user_agent = excluded.user_agent`,
});

/** Renews a browser's login, under its new name if it has one. An ended one stays ended: nothing is inserted. */
export const updateBrowserLogin = statement({
  name: 'update_browser_login',
  parameters: { idHash: 'bytea', formerHash: 'bytea', payload: 'bytea', ttlSeconds: 'integer' },
  sql: ({ idHash, formerHash, payload, ttlSeconds }) => `
    update oauth_artifacts set id_hash = ${idHash}, payload = ${payload}, last_seen_at = n.t,
      expires_at = n.t + ${ttlSeconds} * interval '1 second'
    from (select clock_timestamp() as t) n
    where model = 'Session' and id_hash = any(array[${idHash}, ${formerHash}]) and expires_at > n.t`,
});

/** The unexpired object with this second name. */
export const findArtifactByUid = statement({
  name: 'find_oauth_artifact_by_uid',
  parameters: { model: 'text', uidHash: 'bytea' },
  returns: maybeOne<ArtifactRow & { id_hash: Buffer }>(),
  sql: ({ model, uidHash }) => `
    select id_hash, payload, uid_hash, expires_at, consumed_at from oauth_artifacts
    where model = ${model} and uid_hash = ${uidHash} and expires_at > clock_timestamp()
    order by created_at desc limit 1`,
});
