import pg from 'pg';

/** Kysely's types of every table, read from a migrated database. */
export async function generateTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Column>(COLUMNS);
  await client.end();
  const tables = Map.groupBy(rows, (row) => row.table_name);
  const interfaces = [...tables].map(
    ([table, columns]) => `export interface ${typeName(table)} {\n${columns.map(property).join('\n')}\n}`,
  );
  const index = [...tables.keys()].map((table) => `  ${table}: ${typeName(table)};`).join('\n');
  return `${HEADER}\n${interfaces.join('\n\n')}\n\nexport interface Tables {\n${index}\n}\n`;
}

interface Column {
  table_name: string;
  column_name: string;
  data_type: string;
  udt_name: string;
  is_nullable: 'YES' | 'NO';
  column_default: string | null;
}

const HEADER = `// Made by tools/generate.ts from the migrated schema; never edited.
import type { ColumnType, Generated } from 'kysely';

/** A time: read as a Date, written as a Date or ISO 8601 text. */
type Time = ColumnType<Date, Date | string, Date | string>;
/** JSON: read parsed, written as text. */
type Json = ColumnType<unknown, string | null, string | null>;
`;

const COLUMNS = `
  select table_name, column_name, data_type, udt_name, is_nullable, column_default
  from information_schema.columns
  where table_schema = 'public' and table_name not in ('migrations', 'migration_lock')
  order by table_name, ordinal_position`;

function property(column: Column): string {
  const base = TYPES[column.udt_name];
  if (base === undefined) {
    throw new Error(`no type is known for ${column.table_name}.${column.column_name} (${column.udt_name})`);
  }
  const type = column.is_nullable === 'YES' && base !== 'Json' ? `${base} | null` : base;
  return `  ${column.column_name}: ${column.column_default === null ? type : `Generated<${type}>`};`;
}

const TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  bytea: 'Buffer',
  timestamptz: 'Time',
  /** Exact, as text: it may be larger or finer than a number. */
  numeric: 'string',
  jsonb: 'Json',
  _text: 'string[]',
  _timestamptz: 'Date[]',
};

function typeName(table: string): string {
  return `${table
    .split('_')
    .map((word) => (word[0] ?? '').toUpperCase() + word.slice(1))
    .join('')}Table`;
}
