import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedStatement, loadStatements } from './load-statements.ts';
import { changesOf, type TableChange, usesOf } from './parse-sql.ts';
import { isTest, type SourceFile, type Violation } from './source-files.ts';
import { checkTableMap, type Table, type TableMap, type Use } from './table-map.ts';

/** Text for PostgreSQL, and where it stands. */
type Sql = LoadedStatement;

export interface TablesReport {
  readonly statements: number;
  readonly tables: number;
  readonly violations: readonly Violation[];
}

const SERVER = 'packages/server/src/';
const MIGRATIONS = 'packages/server/migrations';

/** Holds all SQL of the server, by PostgreSQL's own parser, against the map of who owns a table and who else may use it. */
export async function checkTables(root: string, files: readonly SourceFile[], map: TableMap): Promise<TablesReport> {
  const sources = files.filter(({ path }) => path.startsWith(SERVER) && !isTest(path));
  const { statements, violations } = await loadStatements(root, files);
  const [migrations, literals] = [readMigrations(root).map(parse), sources.flatMap(literalsOf).map(parse)];
  const parsed = [...statements.map(parse), ...literals];
  const schema = readSchema([...migrations, ...literals]);
  return {
    statements: statements.length,
    tables: schema.tables.length,
    violations: [
      ...violations,
      ...[...migrations, ...parsed].flatMap((each) => each.violations),
      ...schema.violations,
      ...checkMakers(sources, statements),
      ...checkLooseSql(sources, map),
      ...checkTableMap(
        map,
        schema.tables,
        parsed.flatMap(({ uses }) => uses),
        files,
      ),
    ],
  };
}

/** SQL that stands as it is in the call that runs it, such as `client.query('commit')`. */
function literalsOf({ path, sql }: SourceFile): Sql[] {
  return sql.loose.flatMap(({ text, line }) => (text === null ? [] : [{ name: 'no statement', text, path, line }]));
}

interface ParsedSql extends Sql {
  readonly uses: readonly Use[];
  readonly changes: readonly TableChange[];
  readonly violations: readonly Violation[];
}

function parse(sql: Sql): ParsedSql {
  const { name, text, path, line } = sql;
  try {
    const uses = usesOf(text).map((use) => ({ ...use, statement: name, path, line }));
    return { ...sql, uses, changes: changesOf(text), violations: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const violation = { path, line, rule: 'unreadable-sql', advice: `fix ${name}: ${reason}` };
    return { ...sql, uses: [], changes: [], violations: [violation] };
  }
}

/** A statement that is made later, or in a module that is not loaded, is one that no tool sees. */
function checkMakers(sources: readonly SourceFile[], statements: readonly LoadedStatement[]): Violation[] {
  const makers = listMakers(sources);
  const calls = sources.flatMap(({ path, sql }) => sql.makers.map((call) => ({ path, ...call })));
  return calls.flatMap(({ path, line, maker, name, within, isLate }) => {
    if (!makers.has(maker)) return [];
    if (isLate) {
      const advice = 'make it when the module loads, or in a function named define… that is called then';
      return [{ path, line, rule: 'late-statement', advice }];
    }
    const isSeen = statements.some((each) => each.name === name && each.path === path);
    if (name === null || within !== null || isSeen) return [];
    return [{ path, line, rule: 'unseen-statement', advice: `${name} is not there once the module is loaded` }];
  });
}

/** Functions named `define…` that make statements, themselves or by another. */
function listMakers(sources: readonly SourceFile[]): ReadonlySet<string> {
  const makers = new Set(['statement', 'defineList']);
  const inMakers = sources.flatMap(({ sql }) => sql.makers.filter(({ within }) => within !== null));
  for (let known = 0; known < makers.size; ) {
    known = makers.size;
    for (const { maker, within } of inMakers) if (within !== null && makers.has(maker)) makers.add(within);
  }
  return makers;
}

function checkLooseSql(sources: readonly SourceFile[], { looseSql }: TableMap): Violation[] {
  const loose = sources.flatMap(({ path, sql }) => sql.loose.map((each) => ({ path, ...each })));
  const unread = loose.filter(({ text }) => text === null);
  return [
    ...unread.flatMap(({ path, line }) => {
      const advice = 'write it as a statement, so that the tables it uses can be seen';
      return looseSql[path] === undefined ? [{ path, line, rule: 'loose-sql', advice }] : [];
    }),
    ...Object.keys(looseSql).flatMap((path) => {
      const advice = `${path} runs no loose SQL any more: take it out`;
      const isUsed = unread.some((each) => each.path === path);
      return isUsed ? [] : [{ path: 'tools/check-rooms/table-owners.ts', line: 1, rule: 'unused-exception', advice }];
    }),
  ];
}

function readMigrations(root: string): Sql[] {
  const names = readdirSync(join(root, MIGRATIONS)).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const path = `${MIGRATIONS}/${name}`;
    return { name, text: readFileSync(join(root, path), 'utf8'), path, line: 1 };
  });
}

/** The tables that are there in the end. What runs SQL of its own in the database would escape every check. */
function readSchema(parts: readonly ParsedSql[]): { tables: Table[]; violations: Violation[] } {
  const tables = new Map<string, Table>();
  const violations: Violation[] = [];
  const changes = parts.flatMap(({ changes: each, path, line }) => each.map((change) => ({ change, path, line })));
  for (const { change, path, line } of changes) {
    if (change.kind === 'created') tables.set(change.table, { name: change.table, path });
    if (change.kind === 'dropped') tables.delete(change.table);
    if (change.kind === 'renamed') {
      tables.delete(change.table);
      tables.set(change.to, { name: change.to, path });
    }
    if (change.kind === 'hidden') {
      const advice = `write what the ${change.what} does as statements, so that the tables it uses can be seen`;
      violations.push({ path, line, rule: 'hidden-sql', advice });
    }
  }
  return { tables: [...tables.values()], violations };
}
