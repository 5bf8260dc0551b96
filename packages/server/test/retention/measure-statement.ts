import pg from 'pg';
import type { PlanNode } from '../plans/judge-plan.ts';
import type { RecordedStatement } from '../plans/record-statements.ts';

export type PlanKind = 'custom' | 'generic';

/** What a statement did. It is always rolled back. */
export interface Measured {
  plan: PlanNode;
  /** Pages of 8 KiB that its plan read, from memory or disk. */
  pages: number;
  /** Rows read from each table by sequential and index scans, including those for foreign keys. */
  scanned: ReadonlyMap<string, number>;
  fetched: ReadonlyMap<string, number>;
}

/** Runs a statement with either plan that the driver's prepared statements can get: for its own values, or for any. */
export async function measureStatement(
  client: pg.Client,
  { text, values }: RecordedStatement,
  kind: PlanKind,
): Promise<Measured> {
  await client.query('begin');
  try {
    await client.query(`set local plan_cache_mode = force_${kind}_plan`);
    await client.query(`prepare measured as ${text}`);
    const before = await readCounts(client);
    const literals = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`;
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) execute measured${literals}`,
    );
    const after = await readCounts(client);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return {
      plan,
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      scanned: difference(before, after, 'scanned'),
      fetched: difference(before, after, 'fetched'),
    };
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}

interface Counts {
  name: string;
  scanned: number;
  fetched: number;
}

/** What this connection has read so far and not yet reported to the shared statistics. */
async function readCounts(client: pg.Client): Promise<Counts[]> {
  const { rows } = await client.query<Counts>(
    `select relname as name, seq_tup_read::float8 as scanned, coalesce(idx_tup_fetch, 0)::float8 as fetched
      from pg_stat_xact_user_tables`,
  );
  return rows;
}

function difference(before: readonly Counts[], after: readonly Counts[], what: 'scanned' | 'fetched') {
  const known = new Map(before.map((row) => [row.name, row[what]]));
  return new Map(after.map((row) => [row.name, row[what] - (known.get(row.name) ?? 0)]));
}

function literalOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    const elements = value.map((each) => `"${String(each).replaceAll(/["\\]/g, String.raw`\$&`)}"`);
    return pg.escapeLiteral(`{${elements.join(',')}}`);
  }
  if (Buffer.isBuffer(value)) {
    return `'\\x${value.toString('hex')}'`;
  }
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
