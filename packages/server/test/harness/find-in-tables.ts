import type { Queries } from '../../src/database/index.ts';
import { execute } from './index.ts';

/** The tables with at least one row that contains this text. */
export async function findInTables(database: Queries, text: string): Promise<string[]> {
  const tables = await execute<{ name: string }>(
    database,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await execute(database, `select 1 as one from "${name}" t where position($1 in t::text) > 0 limit 1`, [
      text,
    ]);
    found.push(...(rows.length > 0 ? [name] : []));
  }
  return found;
}
