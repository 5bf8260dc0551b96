import { count, maybeOne, statement } from '../../database/index.ts';
import type { ArtifactRow, TokenRow } from './artifact-queries.ts';

/** Inserts a device code; counts nothing if another device waits with the same user code. */
export const insertDeviceCode = statement({
  name: 'insert_oauth_device_code',
  parameters: {
    idHash: 'bytea',
    userCodeHash: 'bytea',
    payload: 'bytea',
    ttlSeconds: 'integer',
    memorySeconds: 'integer',
    pollSeconds: 'integer',
  },
  returns: count(),
  sql: ({ idHash, userCodeHash, payload, ttlSeconds, memorySeconds, pollSeconds }) => `
    insert into oauth_artifacts
      (model, id_hash, uid_hash, user_code_hash, payload, poll_seconds, created_at, code_expires_at, expires_at)
    select 'DeviceCode', ${idHash}, ${idHash}, ${userCodeHash}, ${payload}, ${pollSeconds}, n.t,
      n.t + ${ttlSeconds} * interval '1 second', n.t + (${ttlSeconds} + ${memorySeconds}) * interval '1 second'
    from (select clock_timestamp() as t) n
    on conflict (user_code_hash) where user_code_hash is not null do nothing`,
});

/** A device code, including an expired one that is remembered. `is_just_consumed` is as in `findToken`. */
export const findDeviceCode = statement({
  name: 'find_oauth_device_code',
  parameters: { idHash: 'bytea', waitedMs: 'integer' },
  returns: maybeOne<TokenRow>(),
  sql: ({ idHash, waitedMs }) => `
    select payload, uid_hash, code_expires_at as expires_at, consumed_at,
      coalesce(consumed_at > clock_timestamp() - ${waitedMs} * interval '1 millisecond', false) as is_just_consumed
    from oauth_artifacts
    where model = 'DeviceCode' and id_hash = ${idHash} and expires_at > clock_timestamp()`,
});

/** The same, by the code typed by its user. */
export const findDeviceCodeByUserCode = statement({
  name: 'find_oauth_device_code_by_user_code',
  parameters: { userCodeHash: 'bytea' },
  returns: maybeOne<ArtifactRow & { id_hash: Buffer }>(),
  sql: ({ userCodeHash }) => `
    select id_hash, payload, uid_hash, code_expires_at as expires_at, consumed_at from oauth_artifacts
    where model = 'DeviceCode' and user_code_hash = ${userCodeHash} and expires_at > clock_timestamp()`,
});

/**
 * Records that a device polled before its user decided, and returns whether it polled too early, with a second of
 * tolerance, because devices and networks are never exact. A device that polls too early must wait five seconds longer
 * from then on (RFC 8628 section 3.5), up to a minute.
 */
export const updateDevicePolled = statement({
  name: 'update_oauth_device_polled',
  parameters: { idHash: 'bytea' },
  returns: maybeOne<{ is_early: boolean }>(),
  sql: ({ idHash }) => `
    with before as materialized (
      select polled_at, poll_seconds from oauth_artifacts
      where model = 'DeviceCode' and id_hash = ${idHash} and decided_at is null for update
    ), judged as materialized (
      select n.t, coalesce(b.polled_at > n.t - (b.poll_seconds - 1) * interval '1 second', false) as is_early
      from before b, (select clock_timestamp() as t from before) n
    )
    update oauth_artifacts a set polled_at = judged.t,
      poll_seconds = case when judged.is_early then least(a.poll_seconds + 5, 60) else a.poll_seconds end
    from judged
    where a.model = 'DeviceCode' and a.id_hash = ${idHash} and a.decided_at is null and a.code_expires_at > judged.t
    returning judged.is_early`,
});

/** Lets a device continue with a grant. Only the first decision counts. */
export const updateDeviceAllowed = statement({
  name: 'update_oauth_device_allowed',
  parameters: { idHash: 'bytea', payload: 'bytea', userId: 'text', grantId: 'text' },
  returns: count(),
  sql: ({ idHash, payload, userId, grantId }) => `
    update oauth_artifacts set payload = ${payload}, user_id = ${userId}, grant_key = ${grantId},
      decided_at = clock_timestamp()
    where model = 'DeviceCode' and id_hash = ${idHash} and decided_at is null and code_expires_at > clock_timestamp()`,
});

/** Denies a device. Only the first decision counts. */
export const updateDeviceDenied = statement({
  name: 'update_oauth_device_denied',
  parameters: { idHash: 'bytea', payload: 'bytea' },
  returns: count(),
  sql: ({ idHash, payload }) => `
    update oauth_artifacts set payload = ${payload}, decided_at = clock_timestamp()
    where model = 'DeviceCode' and id_hash = ${idHash} and decided_at is null and code_expires_at > clock_timestamp()`,
});

/**
 * Spends an allowed device code. Only one of several concurrent attempts succeeds. A denial is not spent: it stays a
 * denial.
 */
export const updateDeviceConsumed = statement({
  name: 'update_oauth_device_consumed',
  parameters: { idHash: 'bytea' },
  returns: count(),
  sql: ({ idHash }) => `
    update oauth_artifacts set consumed_at = case when grant_key is null then null else clock_timestamp() end
    where model = 'DeviceCode' and id_hash = ${idHash} and consumed_at is null and decided_at is not null
      and code_expires_at > clock_timestamp()`,
});
