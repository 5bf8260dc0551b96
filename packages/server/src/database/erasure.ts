import type { Queries, Statement } from './database.ts';

/** A user whose personal data is erased: the account is gone, the identifier stays where it must. */
export interface ErasedPerson {
  userId: string;
  /** The address that the account had. */
  email: string;
}

/** One place where a room keeps something of a person. */
export interface PersonErasure {
  /** The table, for the log. */
  table: string;
  /** Erases at most about `limit` rows' worth; returns how many. Zero: nothing is left. */
  erase(database: Queries, person: ErasedPerson, limit: number): Promise<number>;
}

/** A table whose rows are all deleted with their organization. */
export interface OrganizationTable {
  table: string;
  /** The primary key without the organization, which stands before it. */
  key: readonly string[];
  /** Only rows that match this condition, in SQL over the alias `t`; another room deletes the others. */
  only?: string;
  /** Deletes in another way than row by row: $1 the organization, $2 how many at most. */
  statement?: Statement<{ gone: number }>;
}

/** Deletes at most `limit` rows of a deleted organization from one table; returns how many. */
export async function deleteRowsOfOrganization(
  database: Queries,
  table: OrganizationTable,
  organizationId: string,
  limit: number,
): Promise<number> {
  return (await database.query(table.statement ?? deletionOf(table), [organizationId, limit])).length;
}

/** Whether a table has rows of an organization, including those that another room deletes. */
export async function hasRowsOfOrganization(
  database: Queries,
  { table }: OrganizationTable,
  organizationId: string,
): Promise<boolean> {
  const statement = {
    name: `find_${table}_of_organization`,
    text: `select 1 as found from ${table} where organization_id = $1 limit 1`,
  };
  return (await database.query(statement, [organizationId])).length > 0;
}

/** Along the primary key, which begins with the organization. */
function deletionOf({ table, key, only = 'true' }: OrganizationTable): Statement<{ gone: number }> {
  const name = `delete_${table}_of_organization`;
  if (key.length === 0) {
    return { name, text: `delete from ${table} where organization_id = $1 and $2::int > 0 returning 1 as gone` };
  }
  const columns = key.map((column) => `t.${column}`).join(', ');
  return {
    name,
    text: `with d as materialized (
        select ${columns} from ${table} t where t.organization_id = $1 and ${only} order by ${columns} limit $2
      )
      delete from ${table} t using ${keysIn('d', key)}
      where t.organization_id = $1 and ${isSameKey('t', key)} returning 1 as gone`,
  };
}

/**
 * SQL: the keys that a part of a statement found, as `k`, for a join with their table. Of arrays PostgreSQL expects few
 * elements, so it looks each key up; of the part itself it may expect so many rows that it would read the whole table.
 */
export function keysIn(part: string, key: readonly string[]): string {
  return `unnest(${key.map((column) => `array(select ${column} from ${part})`).join(', ')}) as k (${key.join(', ')})`;
}

/** SQL: whether a row of `table` has the key `k`. */
export function isSameKey(table: string, key: readonly string[]): string {
  return key.map((column) => `${table}.${column} = k.${column}`).join(' and ');
}
