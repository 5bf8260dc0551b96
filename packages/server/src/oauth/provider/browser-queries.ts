import type { Queries, Statement } from '../../database/index.ts';
import type { ArtifactRow } from './artifact-queries.ts';

/** What a browser holds: an interaction under way, or a session that nobody has logged in to. */
export interface NewBrowserArtifact {
  model: string;
  idHash: Buffer;
  payload: Buffer;
  userId: string | null;
  /** When the user proved who they are, in seconds since 1970; null where nobody has yet. */
  provedAt: number | null;
  uidHash: Buffer | null;
  ttlSeconds: number;
}

/** A browser's login as it goes on: under the same name, or under another. */
export interface RenewedBrowserLogin {
  idHash: Buffer;
  /** The name that it had before; the same where it has not changed. */
  formerHash: Buffer;
  payload: Buffer;
  ttlSeconds: number;
}

/** A browser's login that has just been proved. */
export interface NewBrowserLogin extends RenewedBrowserLogin {
  /** As its user sees it in the list of logins. */
  publicId: string;
  userId: string;
  provedAt: number;
  uidHash: Buffer;
  clientAddress: string;
  userAgent: string | null;
}

/**
 * Writes an interaction or a session without a user, or writes it anew; but not where the user's password was changed after
 * they had proved who they are: then it would outlive what was ended by that.
 */
export async function upsertBrowserArtifact(database: Queries, artifact: NewBrowserArtifact): Promise<void> {
  const { model, idHash, payload, userId, provedAt, uidHash, ttlSeconds } = artifact;
  await database.query(UPSERT_BROWSER_ARTIFACT, [model, idHash, payload, userId, uidHash, ttlSeconds, provedAt]);
}

/**
 * Writes a browser's login that has just been proved, in the place of what this browser held; but not where the password
 * was changed after the proof.
 */
export async function insertBrowserLogin(database: Queries, login: NewBrowserLogin): Promise<void> {
  const { idHash, formerHash, payload, userId, uidHash, provedAt, ttlSeconds } = login;
  const { publicId, clientAddress, userAgent } = login;
  const values = [
    idHash,
    payload,
    userId,
    uidHash,
    ttlSeconds,
    provedAt,
    publicId,
    clientAddress,
    userAgent,
    formerHash,
  ];
  await database.query(INSERT_BROWSER_LOGIN, values);
}

/** Writes a browser's login anew, under another name where it has one. One that has ended stays so: nothing is inserted. */
export async function renewBrowserLogin(database: Queries, login: RenewedBrowserLogin): Promise<void> {
  const { idHash, formerHash, payload, ttlSeconds } = login;
  await database.query(RENEW_BROWSER_LOGIN, [idHash, formerHash, payload, ttlSeconds]);
}

/** What is kept under this second name and has not expired. */
export async function findArtifactByUid(
  database: Queries,
  model: string,
  uidHash: Buffer,
): Promise<(ArtifactRow & { id_hash: Buffer }) | undefined> {
  return (await database.query(FIND_ARTIFACT_BY_UID, [model, uidHash]))[0];
}

/** The user's row is locked, so that a change of the password that is just being committed is waited for, and seen. */
const UPSERT_BROWSER_ARTIFACT: Statement<never> = {
  name: 'upsert_browser_artifact',
  text: `with owner as materialized (
      select id from users where id = $4
        and ($7::float8 is null or password_changed_at is null or password_changed_at < to_timestamp($7::float8))
      for share
    )
    insert into oauth_artifacts (model, id_hash, payload, user_id, uid_hash, created_at, expires_at)
    select $1, $2, $3, $4, $5, n.t, n.t + $6::integer * interval '1 second' from (select clock_timestamp() as t) n
    where $4::text is null or exists (select 1 from owner)
    on conflict (model, id_hash) do update set
      payload = excluded.payload, user_id = excluded.user_id, expires_at = excluded.expires_at`,
};

/** Locks as the one above does. */
const INSERT_BROWSER_LOGIN: Statement<never> = {
  name: 'insert_browser_login',
  text: `with owner as materialized (
      select id from users where id = $3 and (password_changed_at is null or password_changed_at < to_timestamp($6::float8))
      for share
    ), former as (
      delete from oauth_artifacts where model = 'Session' and id_hash = $10 and id_hash <> $1::bytea
    )
    insert into oauth_artifacts (model, id_hash, payload, user_id, uid_hash, created_at, last_seen_at, expires_at,
      public_id, client_address, user_agent)
    select 'Session', $1::bytea, $2, owner.id, $4, n.t, n.t, n.t + $5::integer * interval '1 second', $7, $8, $9
    from owner, (select clock_timestamp() as t) n
    on conflict (model, id_hash) do update set
      payload = excluded.payload, last_seen_at = excluded.last_seen_at, expires_at = excluded.expires_at,
      user_id = excluded.user_id, created_at = excluded.created_at, public_id = excluded.public_id,
      client_address = excluded.client_address, user_agent = excluded.user_agent`,
};

const RENEW_BROWSER_LOGIN: Statement<never> = {
  name: 'renew_browser_login',
  text: `update oauth_artifacts set id_hash = $1, payload = $3, last_seen_at = n.t,
      expires_at = n.t + $4::integer * interval '1 second'
    from (select clock_timestamp() as t) n
    where model = 'Session' and id_hash = any(array[$1::bytea, $2::bytea]) and expires_at > n.t`,
};

const FIND_ARTIFACT_BY_UID: Statement<ArtifactRow & { id_hash: Buffer }> = {
  name: 'find_oauth_artifact_by_uid',
  text: `select id_hash, payload, uid_hash, expires_at, consumed_at from oauth_artifacts
    where model = $1 and uid_hash = $2 and expires_at > clock_timestamp()
    order by created_at desc limit 1`,
};
