import { count, many, type StatementCall, statement } from './statement.ts';

/** A column of ciphertexts, with the statements to find, decrypt and re-encrypt them. */
export interface EncryptedColumn extends EncryptedColumnDefinition {
  /** The first rows in the order of their keys, with the first bytes of each ciphertext. */
  readonly listFirst: StatementCall<typeof PORTION, Promise<CiphertextRow[]>>;
  /** The rows that follow the one with this key. */
  readonly listAfter: StatementCall<WithKey<typeof PORTION>, Promise<CiphertextRow[]>>;
  /** Replaces one ciphertext if it has not changed since it was read; counts the changed rows. */
  readonly update: StatementCall<WithKey<typeof CHANGE>, Promise<number>>;
}

export interface EncryptedColumnDefinition {
  readonly table: string;
  readonly column: string;
  /** The primary key in order, each column with its type. */
  readonly key: readonly (readonly [name: string, type: KeyType])[];
  readonly purpose: string;
  /** The context that a row's ciphertext is bound to, from the values of its primary key. */
  contextOf(key: readonly KeyValue[]): string;
}

export type KeyValue = string | Buffer;
export type CiphertextRow = Record<string, KeyValue | null>;

type KeyType = 'text' | 'bytea';
type KeyTypes = Readonly<Record<`key_${string}`, KeyType>>;
type WithKey<P> = P & KeyTypes;

const PORTION = { limit: 'integer', bytes: 'integer' } as const;
const CHANGE = { renewed: 'bytea', sealed: 'bytea' } as const;

/** One entry of a room's list of encrypted columns. */
export function defineEncryptedColumn(definition: EncryptedColumnDefinition): EncryptedColumn {
  const { table, column, key } = definition;
  const columns = key.map(([name]) => name).join(', ');
  const keyTypes: KeyTypes = Object.fromEntries(key.map(([name, type]) => [`key_${name}`, type] as const));
  const portionAfter: WithKey<typeof PORTION> = { ...PORTION, ...keyTypes };
  const changeOfKey: WithKey<typeof CHANGE> = { ...CHANGE, ...keyTypes };
  const select = (bytes: string) =>
    `select ${columns}, substring(${column} from 1 for ${bytes}) as sealed_value from ${table}`;
  return {
    ...definition,
    listFirst: statement({
      name: `list_${table}_${column}`,
      parameters: PORTION,
      returns: many<CiphertextRow>(),
      sql: ({ limit, bytes }) => `${select(bytes)} order by ${columns} limit ${limit}`,
    }),
    listAfter: statement({
      name: `list_${table}_${column}_after`,
      parameters: portionAfter,
      returns: many<CiphertextRow>(),
      sql: (given) => `${select(given.bytes)}
        where (${columns}) > (${key.map(([name]) => given[`key_${name}`]).join(', ')})
        order by ${columns} limit ${given.limit}`,
    }),
    update: statement({
      name: `update_${table}_${column}_key`,
      parameters: changeOfKey,
      returns: count(),
      sql: (given) => `update ${table} set ${column} = ${given.renewed}
        where ${key.map(([name]) => `${name} = ${given[`key_${name}`]}`).join(' and ')} and ${column} = ${given.sealed}`,
    }),
  };
}
