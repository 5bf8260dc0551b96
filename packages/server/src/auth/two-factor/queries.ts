import type { Queries, Statement } from '../../database/index.ts';

/** A user's TOTP secret as it is kept. */
export interface TwoFactorSecret {
  /** Encrypted under the master key. */
  secret: Buffer;
  is_enabled: boolean;
}

/** Keeps a secret that is not in use yet, in the place of an earlier one. Returns false where two-factor is on. */
export async function replacePendingSecret(tx: Queries, userId: string, secret: Buffer): Promise<boolean> {
  return (await tx.query(REPLACE_PENDING_SECRET, [userId, secret])).length > 0;
}

/** The secret of a user, in use or not. */
export async function findTwoFactorSecret(database: Queries, userId: string): Promise<TwoFactorSecret | undefined> {
  return (await database.query(FIND_TWO_FACTOR_SECRET, [userId]))[0];
}

/**
 * Turns two-factor on with this very secret and spends the step of the code that proved it. Returns false where it is on
 * already or the secret was replaced.
 */
export async function enableSecret(tx: Queries, userId: string, secret: Buffer, timeStep: number): Promise<boolean> {
  return (await tx.query(ENABLE_SECRET, [userId, secret, timeStep])).length > 0;
}

/** Spends a time step of this very secret, once; no step before it is accepted any more. */
export async function spendTimeStep(tx: Queries, userId: string, secret: Buffer, timeStep: number): Promise<boolean> {
  return (await tx.query(SPEND_TIME_STEP, [userId, secret, timeStep])).length > 0;
}

/** Turns two-factor off. Returns false where it was not on. */
export async function deleteEnabledSecret(tx: Queries, userId: string): Promise<boolean> {
  return (await tx.query(DELETE_ENABLED_SECRET, [userId])).length > 0;
}

/** Removes the secret of a user, in use or only set up. Returns whether two-factor was on. */
export async function deleteSecret(tx: Queries, userId: string): Promise<boolean> {
  return (await tx.query(DELETE_SECRET, [userId]))[0]?.was_enabled ?? false;
}

/** Spends a recovery code of a user, once. */
export async function spendRecoveryCode(tx: Queries, userId: string, codeHash: Buffer): Promise<boolean> {
  return (await tx.query(SPEND_RECOVERY_CODE, [userId, codeHash])).length > 0;
}

/** How many recovery codes a user has left. */
export async function countRecoveryCodes(database: Queries, userId: string): Promise<number> {
  return (await database.query(COUNT_RECOVERY_CODES, [userId]))[0]?.count ?? 0;
}

/** Voids the recovery codes of a user. */
export async function deleteRecoveryCodes(tx: Queries, userId: string): Promise<void> {
  await tx.query(DELETE_RECOVERY_CODES, [userId]);
}

/** Writes the recovery codes of a user, who has none. */
export async function insertRecoveryCodes(tx: Queries, userId: string, codeHashes: readonly Buffer[]): Promise<void> {
  await tx.query(INSERT_RECOVERY_CODES, [userId, codeHashes]);
}

const REPLACE_PENDING_SECRET: Statement<{ user_id: string }> = {
  name: 'replace_pending_two_factor_secret',
  text: `insert into two_factor_secrets (user_id, secret, created_at) values ($1, $2, clock_timestamp())
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_time_step = null
      where two_factor_secrets.enabled_at is null
    returning user_id`,
};

const FIND_TWO_FACTOR_SECRET: Statement<TwoFactorSecret> = {
  name: 'find_two_factor_secret',
  text: 'select secret, enabled_at is not null as is_enabled from two_factor_secrets where user_id = $1',
};

const ENABLE_SECRET: Statement<{ user_id: string }> = {
  name: 'enable_two_factor_secret',
  text: `update two_factor_secrets set enabled_at = clock_timestamp(), last_time_step = $3
    where user_id = $1 and secret = $2 and enabled_at is null returning user_id`,
};

const SPEND_TIME_STEP: Statement<{ user_id: string }> = {
  name: 'spend_time_step',
  text: `update two_factor_secrets set last_time_step = $3
    where user_id = $1 and secret = $2 and enabled_at is not null and last_time_step < $3 returning user_id`,
};

const DELETE_ENABLED_SECRET: Statement<{ user_id: string }> = {
  name: 'delete_enabled_two_factor_secret',
  text: 'delete from two_factor_secrets where user_id = $1 and enabled_at is not null returning user_id',
};

const DELETE_SECRET: Statement<{ was_enabled: boolean }> = {
  name: 'delete_two_factor_secret',
  text: 'delete from two_factor_secrets where user_id = $1 returning enabled_at is not null as was_enabled',
};

const SPEND_RECOVERY_CODE: Statement<{ user_id: string }> = {
  name: 'spend_recovery_code',
  text: `update recovery_codes set used_at = clock_timestamp()
    where user_id = $1 and code_hash = $2 and used_at is null returning user_id`,
};

const COUNT_RECOVERY_CODES: Statement<{ count: number }> = {
  name: 'count_recovery_codes',
  text: 'select count(*)::integer as count from recovery_codes where user_id = $1 and used_at is null',
};

const DELETE_RECOVERY_CODES: Statement<never> = {
  name: 'delete_recovery_codes',
  text: 'delete from recovery_codes where user_id = $1',
};

const INSERT_RECOVERY_CODES: Statement<never> = {
  name: 'insert_recovery_codes',
  text: `insert into recovery_codes (user_id, code_hash, created_at)
    select $1, c.hash, n.t from unnest($2::bytea[]) as c (hash), (select clock_timestamp() as t) n`,
};
