import type { Queries } from './database.ts';
import { count, type Executor, maybeOne, statement } from './statement.ts';

/** A user whose personal data is erased: the account is gone; the identifier stays where required. */
interface ErasedPerson {
  userId: string;
  /** The former email address of the account. */
  email: string;
}

/** One table in which a room stores personal data. */
export interface PersonErasure {
  /** The table, for the log. */
  table: string;
  /** Erases about `limit` rows at most; returns how many. Zero: nothing is left. */
  erase(database: Queries, person: ErasedPerson, limit: number): Promise<number>;
}

/** A table whose rows are all deleted with their organization. */
export interface OrganizationTable {
  readonly table: string;
  /** Deletes some of the rows of a deleted organization; returns how many. */
  deleteRows(database: Executor, portion: { organizationId: string; limit: number }): Promise<number>;
  /** Whether there are rows, including those that another room deletes. Missing if this room deletes all of them. */
  hasRows?(database: Executor, given: { organizationId: string }): Promise<boolean>;
}

/** A table whose rows are deleted along the primary key, which begins with the organization. */
export function defineOrganizationTable({ table, key, only }: OrganizationTableDefinition): OrganizationTable {
  const deleteRows = statement({
    name: `delete_${table}_of_organization`,
    parameters: { organizationId: 'text', limit: 'integer' },
    returns: count(),
    sql: ({ organizationId, limit }) => deletionOf({ table, key, only }, organizationId, limit),
  });
  if (only === undefined) {
    return { table, deleteRows };
  }
  const findRow = statement({
    name: `find_${table}_of_organization`,
    parameters: { organizationId: 'text' },
    returns: maybeOne<{ found: 1 }>(),
    sql: ({ organizationId }) => `select 1 as found from ${table} where organization_id = ${organizationId} limit 1`,
  });
  return { table, deleteRows, hasRows: async (database, given) => (await findRow(database, given)) !== undefined };
}

interface OrganizationTableDefinition {
  readonly table: string;
  /** The primary key without the organization, its first column; empty if an organization has one row. */
  readonly key: readonly string[];
  /** Only rows that match this condition, in SQL over the alias `t`; another room deletes the others. */
  readonly only?: string | undefined;
}

function deletionOf({ table, key, only }: OrganizationTableDefinition, organizationId: string, limit: string): string {
  if (key.length === 0) {
    return `delete from ${table} where organization_id = ${organizationId} and ${limit} > 0`;
  }
  const columns = key.map((column) => `t.${column}`).join(', ');
  const condition = only === undefined ? '' : `and ${only}`;
  return `with d as materialized (
      select ${columns} from ${table} t where t.organization_id = ${organizationId} ${condition}
      order by ${columns} limit ${limit}
    )
    delete from ${table} t using ${keysIn('d', key)}
    where t.organization_id = ${organizationId} and ${isSameKey('t', key)}`;
}

/**
 * SQL: the keys found by a part of a statement, as `k`, for a join with their table. PostgreSQL expects few elements in
 * arrays, so it looks each key up; for the part itself it may expect so many rows that it would read the whole table.
 */
export function keysIn(part: string, key: readonly string[]): string {
  return `unnest(${key.map((column) => `array(select ${column} from ${part})`).join(', ')}) as k (${key.join(', ')})`;
}

/** SQL: whether a row of `table` has the key `k`. */
export function isSameKey(table: string, key: readonly string[]): string {
  return key.map((column) => `${table}.${column} = k.${column}`).join(' and ');
}
