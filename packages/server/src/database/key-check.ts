import { randomBytes } from 'node:crypto';
import type { DerivedKeys, MasterKey } from '../security/index.ts';
import type { Queries } from './database.ts';
import { many, maybeOne, statement } from './statement.ts';

/**
 * Checks that this process has the master keys that the database's secrets are encrypted with; the first process writes
 * the check. Returns the keys as this database uses them: the database chooses the encrypting one, so that all
 * processes switch to a new one together. Throws one clear sentence if a key is missing.
 */
export async function checkMasterKey(database: Queries, given: MasterKey): Promise<MasterKey> {
  const masterKey = given.forDatabase();
  await adoptMasterKey(database, masterKey);
  return masterKey;
}

/**
 * The same for keys already known to belong to this database, for example in an environment that waits for its
 * database.
 */
export async function adoptMasterKey(database: Queries, masterKey: MasterKey): Promise<void> {
  const fresh: DerivedKeys = { legacy: {}, root: randomBytes(32).toString('base64') };
  await insertKeyCheck(database, {
    keyCheck: masterKey.encrypt(KEY_CHECK_PURPOSE, ID, PLAIN),
    derivedKeys: masterKey.encrypt(DERIVED_KEYS_PURPOSE, ID, JSON.stringify(fresh)),
  });
  const row = await findKeyCheck(database);
  const keyId = row === undefined ? undefined : findKeyOfCheck(masterKey, row.key_check);
  if (row === undefined || keyId === undefined) {
    throw new Error(
      'The master key is not the one that this database was first used with. Set SEATHOLD_MASTER_KEY, or restore master.key in the data folder.',
    );
  }
  await insertFirstKey(database, { keyId });
  requireKeys(masterKey, await listMasterKeys(database));
  const derived = row.derived_keys ?? (await keepLegacyKeys(database, masterKey, keyId));
  masterKey.useDerivedKeys(JSON.parse(masterKey.decrypt(DERIVED_KEYS_PURPOSE, ID, derived)));
}

/** The encrypted columns of `installation` and their contexts; both are re-encrypted in a rotation. */
export const KEY_CHECK_PURPOSE = 'key-check';
export const DERIVED_KEYS_PURPOSE = 'derived-keys';

const ID = 'this';
const PLAIN = 'seathold';

/** The identifier of the key that a database's check was encrypted with; undefined if it is none of these. */
export function findKeyOfCheck(masterKey: MasterKey, keyCheck: Buffer): string | undefined {
  try {
    const { plain, keyId } = masterKey.decryptNamed(KEY_CHECK_PURPOSE, ID, keyCheck);
    return plain === PLAIN ? keyId : undefined;
  } catch {
    // Authentication fails exactly if the key is wrong.
    return undefined;
  }
}

function requireKeys(masterKey: MasterKey, rows: readonly MasterKeyRow[]): void {
  for (const { key_id: keyId, is_active: isActive } of rows) {
    const isHeld = isActive ? masterKey.activate(keyId) : masterKey.keyIds.includes(keyId);
    if (!isHeld) {
      throw new Error(
        `The master key ${keyId} is missing. ${isActive ? 'This database encrypts with it' : 'Part of this database is still encrypted with it'}. Add it to SEATHOLD_MASTER_KEY, or restore master.key in the data folder.`,
      );
    }
  }
}

/** For a database from before derived keys were stored: stores those that derive from its only master key. */
async function keepLegacyKeys(database: Queries, masterKey: MasterKey, keyId: string): Promise<Buffer> {
  const legacy = LEGACY_PURPOSES.map((purpose) => [purpose, masterKey.deriveKeyOf(keyId, purpose).toString('base64')]);
  const kept: DerivedKeys = { legacy: Object.fromEntries(legacy), root: randomBytes(32).toString('base64') };
  const derivedKeys = masterKey.encrypt(DERIVED_KEYS_PURPOSE, ID, JSON.stringify(kept));
  await updateDerivedKeys(database, { derivedKeys });
  // Another process may have been first; its root is used.
  const row = await findKeyCheck(database);
  if (row?.derived_keys == null) {
    throw new Error('The derived keys could not be stored.');
  }
  return row.derived_keys;
}

/** The purposes for which the master key itself was used before derived keys were stored. This list never grows. */
const LEGACY_PURPOSES = [
  'cursors',
  'idempotency-content',
  'oauth-cookies',
  'payment-requests',
  'recovery-codes',
  'sandbox-clock',
  'test-provider',
] as const;

const insertKeyCheck = statement({
  name: 'insert_key_check',
  parameters: { keyCheck: 'bytea', derivedKeys: 'bytea' },
  sql: ({ keyCheck, derivedKeys }) => `
    insert into installation (id, key_check, derived_keys, created_at)
    values ('this', ${keyCheck}, ${derivedKeys}, clock_timestamp()) on conflict (id) do nothing`,
});

const findKeyCheck = statement({
  name: 'find_key_check',
  returns: maybeOne<{ key_check: Buffer; derived_keys: Buffer | null }>(),
  sql: () => `select key_check, derived_keys from installation where id = 'this'`,
});

const updateDerivedKeys = statement({
  name: 'update_derived_keys',
  parameters: { derivedKeys: 'bytea' },
  sql: ({ derivedKeys }) => `
    update installation set derived_keys = ${derivedKeys} where id = 'this' and derived_keys is null`,
});

/** Adds the key that encrypted the database before ciphertexts named their key. */
const insertFirstKey = statement({
  name: 'insert_first_master_key',
  parameters: { keyId: 'text' },
  sql: ({ keyId }) => `
    insert into master_keys (key_id, is_active, created_at, completed_at)
    select ${keyId}, true, clock_timestamp(), clock_timestamp() where not exists (select from master_keys)
    on conflict do nothing`,
});

interface MasterKeyRow {
  key_id: string;
  is_active: boolean;
  completed_at: Date | null;
}

/** There are two while the key is rotated, and until the old one is removed. */
export const listMasterKeys = statement({
  name: 'list_master_keys',
  returns: many<MasterKeyRow>(),
  sql: () => 'select key_id, is_active, completed_at from master_keys order by created_at, key_id',
});
