import type pg from 'pg';

/** A table, and the columns whose values have the same meaning in every database. */
export interface TableShape {
  name: string;
  columns: string[];
}

/** The next value of an identity column. */
export interface SequenceState {
  table: string;
  column: string;
  last: string;
}

/**
 * The tables of the schema in use, without those of extensions. Computed columns follow from the others. Transaction
 * numbers (xid8) mean nothing in another cluster: there, loaded rows were written by the loading transaction.
 */
export async function listTableShapes(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname::text as name,
      array_agg(a.attname::text order by a.attnum)
        filter (where a.attgenerated = '' and a.atttypid <> 'xid8'::regtype) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and not exists (
      select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
    group by c.relname order by c.relname collate "C"`);
  return rows;
}

/** Whether the schema in use is empty, except for objects of extensions. */
export async function isEmptySchema(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`
    select 1 from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    where not exists (
      select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
    limit 1`);
  return rows.length === 0;
}

/** A sequence is not part of a snapshot: read after the rows, it is at their end or later. */
export async function listSequenceStates(client: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.relname::text as table, a.attname::text as column,
      pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname) as sequence
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> ''
    where c.relkind = 'r' order by c.relname collate "C", a.attnum`);
  const states: SequenceState[] = [];
  for (const { table, column, sequence } of rows) {
    // The name comes quoted from PostgreSQL.
    const [state] = (await client.query<{ last: string }>(`select last_value::text as last from ${sequence}`)).rows;
    states.push({ table, column, last: state?.last ?? '1' });
  }
  return states;
}
