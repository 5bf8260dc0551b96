import { count, many, maybeOne, one, statement } from '../../database/index.ts';

/** A user's TOTP secret as stored. */
export interface TwoFactorSecret {
  /** Encrypted under the master key. */
  secret: Buffer;
  is_enabled: boolean;
}

/** Stores a secret that is not in use yet, replacing an earlier one. Changes nothing if two-factor is on. */
export const upsertPendingSecret = statement({
  name: 'upsert_pending_two_factor_secret',
  parameters: { userId: 'text', secret: 'bytea' },
  returns: count(),
  sql: ({ userId, secret }) => `
    insert into two_factor_secrets (user_id, secret, created_at) values (${userId}, ${secret}, clock_timestamp())
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_time_step = null
      where two_factor_secrets.enabled_at is null`,
});

/** The secret of a user, in use or not. */
export const findTwoFactorSecret = statement({
  name: 'find_two_factor_secret',
  parameters: { userId: 'text' },
  returns: maybeOne<TwoFactorSecret>(),
  sql: ({ userId }) => `
    select secret, enabled_at is not null as is_enabled from two_factor_secrets where user_id = ${userId}`,
});

/** Those of these users who have two-factor on. */
export const listUsersWithTwoFactor = statement({
  name: 'list_users_with_two_factor',
  parameters: { userIds: 'text[]' },
  returns: many<{ user_id: string }>(),
  sql: ({ userIds }) => `
    select user_id from two_factor_secrets where user_id = any(${userIds}) and enabled_at is not null`,
});

/**
 * Turns two-factor on with exactly this secret and spends the time step of the code that proved it. Changes nothing if
 * it is already on or the secret was replaced.
 */
export const updateSecretEnabled = statement({
  name: 'update_two_factor_secret_enabled',
  parameters: { userId: 'text', secret: 'bytea', timeStep: 'bigint' },
  returns: count(),
  sql: ({ userId, secret, timeStep }) => `
    update two_factor_secrets set enabled_at = clock_timestamp(), last_time_step = ${timeStep}
    where user_id = ${userId} and secret = ${secret} and enabled_at is null`,
});

/** Spends a time step of exactly this secret, once; earlier steps are no longer accepted. */
export const updateTimeStepSpent = statement({
  name: 'update_time_step_spent',
  parameters: { userId: 'text', secret: 'bytea', timeStep: 'bigint' },
  returns: count(),
  sql: ({ userId, secret, timeStep }) => `
    update two_factor_secrets set last_time_step = ${timeStep}
    where user_id = ${userId} and secret = ${secret} and enabled_at is not null and last_time_step < ${timeStep}`,
});

/** Turns two-factor off. */
export const deleteEnabledSecret = statement({
  name: 'delete_enabled_two_factor_secret',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `delete from two_factor_secrets where user_id = ${userId} and enabled_at is not null`,
});

/** Deletes the secret of a user, in use or only set up. */
export const deleteSecret = statement({
  name: 'delete_two_factor_secret',
  parameters: { userId: 'text' },
  returns: maybeOne<{ was_enabled: boolean }>(),
  sql: ({ userId }) => `
    delete from two_factor_secrets where user_id = ${userId} returning enabled_at is not null as was_enabled`,
});

/** Spends a recovery code of a user, once. */
export const updateRecoveryCodeSpent = statement({
  name: 'update_recovery_code_spent',
  parameters: { userId: 'text', codeHash: 'bytea' },
  returns: count(),
  sql: ({ userId, codeHash }) => `
    update recovery_codes set used_at = clock_timestamp()
    where user_id = ${userId} and code_hash = ${codeHash} and used_at is null`,
});

/** How many recovery codes a user has left. */
export const countRecoveryCodes = statement({
  name: 'count_recovery_codes',
  parameters: { userId: 'text' },
  returns: one<{ count: number }>(),
  sql: ({ userId }) => `
    select count(*)::integer as count from recovery_codes where user_id = ${userId} and used_at is null`,
});

export const deleteRecoveryCodes = statement({
  name: 'delete_recovery_codes',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `delete from recovery_codes where user_id = ${userId}`,
});

/** Inserts the recovery codes of a user who has none. */
export const insertRecoveryCodes = statement({
  name: 'insert_recovery_codes',
  parameters: { userId: 'text', codeHashes: 'bytea[]' },
  sql: ({ userId, codeHashes }) => `
    insert into recovery_codes (user_id, code_hash, created_at)
    select ${userId}, c.hash, n.t from unnest(${codeHashes}) as c (hash), (select clock_timestamp() as t) n`,
});

/** Notes that a login was completed by the second factor. */
export const updateLoginSessionPassedTwoFactor = statement({
  name: 'update_login_session_passed_two_factor',
  parameters: { userId: 'text', id: 'text' },
  sql: ({ userId, id }) => `
    update login_sessions set passed_two_factor = true where user_id = ${userId} and id = ${id}`,
});

/** Marks all logins of a user as not having passed a second factor, because there no longer is one. */
export const updateLoginSessionsWithoutTwoFactor = statement({
  name: 'update_login_sessions_without_two_factor',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `
    update login_sessions set passed_two_factor = false where user_id = ${userId} and passed_two_factor`,
});
