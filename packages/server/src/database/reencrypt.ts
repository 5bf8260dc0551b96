import { CIPHERTEXT_HEADER_BYTES, findKeyId, type MasterKey } from '../security/index.ts';
import type { Queries, Statement } from './database.ts';

/** A column of ciphertexts, with what is needed to find, decrypt and re-encrypt each of them. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** The primary key in its order, each column with its type. */
  key: readonly (readonly [name: string, type: 'text' | 'bytea'])[];
  purpose: string;
  /** What a row's ciphertext is bound to, of its primary key's values. */
  contextOf(key: readonly KeyValue[]): string;
}

type KeyValue = string | Buffer;

/** How many ciphertexts of a column there are under which key; those of before there were identifiers under `unnamed`. */
export type KeyUse = ReadonlyMap<string, number>;

/**
 * Encrypts a column under the active key, in portions along its primary key. Each row is changed by itself and only if it
 * is what was read, so concurrent writes win. An interrupted run leaves nothing half done, and the next one continues. Answers
 * how many rows it changed.
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
      changed += (await database.query(updateOf(column), [renewed, sealed, ...key])).length;
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

/** Every ciphertext of the column, or its first bytes. A row without one has null there, or nothing. */
async function* readColumn(database: Queries, column: EncryptedColumn, bytes?: number) {
  let after: KeyValue[] | undefined;
  do {
    const rows: ColumnRow[] =
      after === undefined
        ? await database.query(selectOf(column, false), [PORTION, bytes ?? MAX_BYTES])
        : await database.query(selectOf(column, true), [PORTION, bytes ?? MAX_BYTES, ...after]);
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

type ColumnRow = Record<string, KeyValue | null>;

/** PostgreSQL's largest value has a gigabyte. */
const MAX_BYTES = 1_073_741_824;

function keyOf({ key }: EncryptedColumn, row: ColumnRow): KeyValue[] {
  return key.map(([name]) => row[name] ?? '');
}

function selectOf({ table, column, key }: EncryptedColumn, isLater: boolean): Statement<ColumnRow> {
  const names = key.map(([name]) => name).join(', ');
  const after = key.map(([, type], at) => `$${at + 3}::${type}`).join(', ');
  return {
    name: `list_${table}_${column}${isLater ? '_after' : ''}`,
    text: `select ${names}, substring(${column} from 1 for $2::integer) as sealed_value from ${table}
      ${isLater ? `where (${names}) > (${after})` : ''} order by ${names} limit $1`,
  };
}

function updateOf({ table, column, key }: EncryptedColumn): Statement<{ changed: number }> {
  const place = key.map(([name, type], at) => `${name} = $${at + 3}::${type}`).join(' and ');
  return {
    name: `update_${table}_${column}_key`,
    text: `update ${table} set ${column} = $1 where ${place} and ${column} = $2 returning 1 as changed`,
  };
}
