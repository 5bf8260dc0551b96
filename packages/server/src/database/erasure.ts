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
  /** Erases at most about `limit` rows' worth; answers how many. Zero: nothing is left. */
  erase(database: Queries, person: ErasedPerson, limit: number): Promise<number>;
}

/** A table whose rows are all deleted with their organization. */
export interface OrganizationTable {
  table: string;
  /** The primary key without the organization, which stands before it. */
  key: readonly string[];
  /** Only rows for which this holds, as SQL over the alias `t`: the others are somebody else's to delete. */
  only?: string;
  /** Deletes in another way than row by row: $1 the organization, $2 how many at most. */
  statement?: Statement<{ gone: number }>;
}

/** Deletes at most `limit` rows of a deleted organization from one table; answers how many. */
export async function deleteRowsOfOrganization(
  database: Queries,
  table: OrganizationTable,
  organizationId: string,
  limit: number,
): Promise<number> {
  return (await database.query(table.statement ?? deletionOf(table), [organizationId, limit])).length;
}

/** Whether a table has rows of an organization, those included that somebody else deletes. */
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

function deletionOf({ table, key, only = 'true' }: OrganizationTable): Statement<{ gone: number }> {
  const names = key.map((name) => `t.${name}`).join(', ');
  const isSame = key.map((name) => ` and t.${name} = d.${name}`).join('');
  // A table of one row for each organization has nothing that would tell its rows apart.
  const portion = key.length === 0 ? 't.organization_id' : names;
  return {
    name: `delete_${table}_of_organization`,
    text: `with d as materialized (
        select ${portion} from ${table} t where t.organization_id = $1 and ${only} limit $2
      )
      delete from ${table} t using d where t.organization_id = $1${isSame} returning 1 as gone`,
  };
}
