import type pg from 'pg';

export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** PostgreSQL's error for a statement, or undefined if it ran. */
export type Outcome = string | undefined;

/**
 * Runs each statement in its own transaction, which is rolled back, with values of its parameters' types. The values
 * match no row: what counts is whether the statement can be planned and sent to its tables' machines.
 */
export async function replayStatements(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const [at, { name, text }] of statements.entries()) {
    const key = outcomes.has(name) ? `${name}#${at}` : name;
    await client.query('begin');
    try {
      const types = await findParameterTypes(client, `replayed_${at}`, text);
      await client.query({ text, values: types.map(sampleOf) });
      outcomes.set(key, undefined);
    } catch (error) {
      outcomes.set(key, isAboutValues(error) ? undefined : messageOf(error));
    } finally {
      await client.query('rollback');
    }
  }
  return outcomes;
}

async function findParameterTypes(client: pg.ClientBase, name: string, text: string): Promise<string[]> {
  await client.query(`prepare ${name} as ${text}`);
  const { rows } = await client.query<{ types: string[] }>(
    'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
    [name],
  );
  await client.query(`deallocate ${name}`);
  return rows[0]?.types ?? [];
}

/** A value of a type. Every text is the same, so that all parameters that name an organization agree. */
function sampleOf(type: string): unknown {
  if (type.endsWith('[]')) return `{${String(sampleOf(type.slice(0, -2)))}}`;
  return VALUES[type] ?? 'org_replayed';
}

const VALUES: Readonly<Record<string, unknown>> = {
  boolean: true,
  smallint: 1,
  integer: 1,
  bigint: 1,
  numeric: 1,
  'double precision': 1,
  real: 1,
  json: '[]',
  jsonb: '[]',
  bytea: '\\x00',
  date: '2026-01-01',
  interval: '1 second',
  inet: '127.0.0.1',
  uuid: '00000000-0000-0000-0000-000000000000',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
};

/** A violated constraint (23) or an invalid value (22): the statement reached its table. */
function isAboutValues(error: unknown): boolean {
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  return state.startsWith('22') || state.startsWith('23');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
