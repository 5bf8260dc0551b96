import { CIPHERTEXT_HEADER_BYTES, findKeyId, type MasterKey } from '../security/index.ts';
import type { Queries } from './database.ts';
import type { CiphertextRow, EncryptedColumn, KeyValue } from './encrypted-column.ts';

/** The number of a column's ciphertexts per key; those from before keys had identifiers are under `unnamed`. */
export type KeyUse = ReadonlyMap<string, number>;

/**
 * Encrypts a column under the active key, in portions along its primary key. Each row is updated separately and only if
 * it has not changed since it was read, so concurrent writes win. An interrupted run leaves nothing half done, and the
 * next one continues. Returns how many rows it changed.
 */
export async function reencryptColumn(
  database: Queries,
  masterKey: MasterKey,
  column: EncryptedColumn,
): Promise<number> {
  let changed = 0;
  for await (const { key, sealed } of readColumn(database, column)) {
    if (findKeyId(sealed) !== masterKey.activeId) {
      const renewed = reencrypt(masterKey, column, key, sealed);
      changed += await column.update(database, { renewed, sealed, ...parametersOf(column, key) });
    }
  }
  return changed;
}

function reencrypt(masterKey: MasterKey, column: EncryptedColumn, key: readonly KeyValue[], sealed: Buffer): Buffer {
  const context = column.contextOf(key);
  try {
    return masterKey.encrypt(column.purpose, context, masterKey.decrypt(column.purpose, context, sealed));
  } catch (cause) {
    const row = key.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : value)).join(' ');
    throw new Error(`${column.table}.${column.column} of the row ${row} cannot be decrypted`, { cause });
  }
}

/** Counts a column's ciphertexts by the key that they name, reading it in portions. */
export async function countKeyUse(database: Queries, column: EncryptedColumn): Promise<KeyUse> {
  const counts = new Map<string, number>();
  for await (const { sealed } of readColumn(database, column, CIPHERTEXT_HEADER_BYTES + 1)) {
    const keyId = findKeyId(sealed) ?? 'unnamed';
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  }
  return counts;
}

const PORTION = 500;

/** Every ciphertext of the column, or its first bytes. A row without one has null or an empty value. */
async function* readColumn(database: Queries, column: EncryptedColumn, bytes?: number) {
  let after: KeyValue[] | undefined;
  do {
    const portion = { limit: PORTION, bytes: bytes ?? MAX_BYTES };
    const rows: CiphertextRow[] =
      after === undefined
        ? await column.listFirst(database, portion)
        : await column.listAfter(database, { ...portion, ...parametersOf(column, after) });
    for (const row of rows) {
      const key = keyOf(column, row);
      if (Buffer.isBuffer(row.sealed_value) && row.sealed_value.length > 0) {
        yield { key, sealed: row.sealed_value };
      }
    }
    const last = rows.at(-1);
    after = last === undefined || rows.length < PORTION ? undefined : keyOf(column, last);
  } while (after !== undefined);
}

/** PostgreSQL's largest value is one gigabyte. */
const MAX_BYTES = 1_073_741_824;

function keyOf({ key }: EncryptedColumn, row: CiphertextRow): KeyValue[] {
  return key.map(([name]) => row[name] ?? '');
}

/** The values of a key as parameters of a statement. */
function parametersOf({ key }: EncryptedColumn, values: readonly KeyValue[]): Record<`key_${string}`, KeyValue> {
  return Object.fromEntries(key.map(([name], at) => [`key_${name}` as const, values[at] ?? '']));
}
