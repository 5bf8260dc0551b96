import type pg from 'pg';

/** How a table can be spread over several machines. */
export type Placement =
  /** Its rows are divided by organization_id. */
  | { kind: 'distributed' }
  /** It belongs to no single organization, so each machine has a full copy. */
  | { kind: 'reference' }
  /** It has the column, but something prevents dividing it, so it stays on one machine. */
  | { kind: 'local'; reason: string };

export const DISTRIBUTED_BY = 'organization_id';

interface CatalogTable {
  name: string;
  has_organization: boolean;
  is_nullable: boolean;
  /** Unique indexes, the primary key among them, that lack the column. */
  indexes_without: string[];
}

/** Decides about each table of a migrated schema, from PostgreSQL's catalog alone. */
export async function chooseTables(client: pg.ClientBase): Promise<Map<string, Placement>> {
  const { rows } = await client.query<CatalogTable>(TABLES, [DISTRIBUTED_BY]);
  const placements = new Map(rows.map((table) => [table.name, placementOf(table)]));
  await keepBesideTheirReferences(client, placements);
  return placements;
}

export function placementOf({ has_organization, is_nullable, indexes_without }: Omit<CatalogTable, 'name'>): Placement {
  if (!has_organization) {
    return { kind: 'reference' };
  }
  if (is_nullable) {
    return { kind: 'local', reason: `${DISTRIBUTED_BY} can be null` };
  }
  const [index] = indexes_without;
  return index === undefined
    ? { kind: 'distributed' }
    : { kind: 'local', reason: `the unique index ${index} lacks ${DISTRIBUTED_BY}` };
}

/**
 * A foreign key of a divided table may reference a reference table, or another divided table by keys with the column.
 */
async function keepBesideTheirReferences(client: pg.ClientBase, placements: Map<string, Placement>): Promise<void> {
  const { rows } = await client.query<{ source: string; target: string; name: string; has_organization: boolean }>(
    FOREIGN_KEYS,
    [DISTRIBUTED_BY],
  );
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const { source, target, name, has_organization } of rows) {
      const [from, to] = [placements.get(source)?.kind, placements.get(target)?.kind];
      const fault = faultOfReference(from, to, has_organization);
      const reason = fault === undefined ? undefined : `its foreign key ${name} references ${target}, ${fault}`;
      if (reason !== undefined) {
        placements.set(source, { kind: 'local', reason });
        hasChanged = true;
      }
    }
  }
}

type Kind = Placement['kind'] | undefined;

function faultOfReference(from: Kind, to: Kind, hasOrganization: boolean): string | undefined {
  if (from === 'distributed' && to === 'local') return 'which is not divided';
  if (from === 'distributed' && to === 'distributed' && !hasOrganization) return `without ${DISTRIBUTED_BY}`;
  return from === 'reference' && to !== 'reference' ? 'which is not on every machine' : undefined;
}

const TABLES = `
  select t.relname as name, a.attname is not null as has_organization, not coalesce(a.attnotnull, true) as is_nullable,
    array(
      select i.indexrelid::regclass::text from pg_index i
      where i.indrelid = t.oid and i.indisunique and not coalesce(a.attnum = any (i.indkey), false)
      order by 1
    ) as indexes_without
  from pg_class t
  left join pg_attribute a on a.attrelid = t.oid and a.attname = $1 and not a.attisdropped
  where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
  order by t.relname`;

const FOREIGN_KEYS = `
  select s.relname as source, t.relname as target, c.conname as name,
    exists (
      select from unnest(c.conkey, c.confkey) pair (own, foreign_own)
      join pg_attribute o on o.attrelid = c.conrelid and o.attnum = pair.own and o.attname = $1
      join pg_attribute f on f.attrelid = c.confrelid and f.attnum = pair.foreign_own and f.attname = $1
    ) as has_organization
  from pg_constraint c
  join pg_class s on s.oid = c.conrelid
  join pg_class t on t.oid = c.confrelid
  where c.contype = 'f' and s.relnamespace = 'public'::regnamespace
  order by 1, 3`;
