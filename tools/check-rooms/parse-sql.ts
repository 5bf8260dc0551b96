import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** What a statement does with a table. Who locks rows also reads them; who writes may do all. */
export type Access = 'read' | 'lock' | 'write';

export interface TableUse {
  readonly table: string;
  readonly access: Access;
}

/** Every table that the text reads, locks or writes, by PostgreSQL's own parser; throws what PostgreSQL says of its syntax. */
export function usesOf(sql: string): TableUse[] {
  const uses: TableUse[] = [];
  for (const statement of parse(sql)) walk(statement, { scope: NOTHING, access: 'read', uses });
  return uses;
}

/** How a text changes which tables there are, in order. */
export type TableChange =
  | { readonly kind: 'created' | 'dropped'; readonly table: string }
  | { readonly kind: 'renamed'; readonly table: string; readonly to: string }
  /** A view, a trigger or a function, whose own SQL no statement shows. */
  | { readonly kind: 'hidden'; readonly what: string };

export function changesOf(sql: string): TableChange[] {
  return parse(sql).flatMap((statement) => Object.entries(statement).flatMap(([kind, node]) => changeOf(kind, node)));
}

function changeOf(kind: string, node: unknown): TableChange[] {
  if (!isNode(node)) return [];
  if (kind === 'CreateStmt') return [{ kind: 'created', table: tableName(node.relation) }];
  if (kind === 'CreateTableAsStmt' && isNode(node.into)) return [{ kind: 'created', table: tableName(node.into.rel) }];
  if (kind === 'DropStmt' && node.removeType === 'OBJECT_TABLE') {
    return stringsIn(node.objects).map((table) => ({ kind: 'dropped', table }));
  }
  if (kind === 'RenameStmt' && node.renameType === 'OBJECT_TABLE') {
    return [{ kind: 'renamed', table: tableName(node.relation), to: String(node.newname) }];
  }
  const what = HIDING[kind];
  return what === undefined ? [] : [{ kind: 'hidden', what }];
}

const HIDING: Readonly<Record<string, string>> = {
  ViewStmt: 'view',
  CreateTrigStmt: 'trigger',
  CreateFunctionStmt: 'function',
  RuleStmt: 'rule',
  DoStmt: 'block of code',
};

// --- The walk ---

type Node = Readonly<Record<string, unknown>>;

interface Place {
  /** The names of the WITH queries in sight: what they hide is no table. */
  readonly scope: ReadonlySet<string>;
  /** What happens to a table that is named here. */
  readonly access: Access;
  readonly uses: TableUse[];
}

const NOTHING: ReadonlySet<string> = new Set();
const WRITERS = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

function walk(given: unknown, place: Place): void {
  if (Array.isArray(given)) {
    for (const each of given) walk(each, place);
    return;
  }
  if (!isNode(given)) return;
  if (typeof given.relname === 'string') {
    use(given, place);
    return;
  }
  for (const [kind, node] of Object.entries(given)) {
    if (isNode(node)) walkKind(kind, node, place);
    else walk(node, place);
  }
}

function walkKind(kind: string, node: Node, place: Place): void {
  if (kind === 'FuncCall') walkCall(node, place);
  else if (kind === 'SelectStmt') walkSelect(node, place);
  else if (WRITERS.has(kind)) walkWriter(node, place);
  // All else that names tables, from TRUNCATE to COPY, changes them.
  else walk(node, kind.endsWith('Stmt') ? { ...place, access: 'write' } : place);
}

/** Some functions of PostgreSQL run text or read a table that only their arguments name. */
const BLIND_CALLS = /^(?:(?:query|cursor|table|schema|database)_to_xml\w*|ts_stat|dblink\w*)$/;

function walkCall(call: Node, place: Place): void {
  const name = stringIn(Array.isArray(call.funcname) ? call.funcname.at(-1) : undefined);
  if (BLIND_CALLS.test(name)) place.uses.push({ table: `whatever ${name} is given`, access: 'read' });
  for (const part of Object.values(call)) walk(part, place);
}

function walkWriter(statement: Node, outer: Place): void {
  const { withClause, relation, ...rest } = statement;
  const place = enterWith(withClause, { ...outer, access: 'read' });
  // What is written is a table even where a WITH query has its name.
  if (isNode(relation)) use(relation, { ...place, scope: NOTHING, access: 'write' });
  walk(rest, place);
}

function walkSelect(statement: Node, outer: Place): void {
  const { withClause, larg, rarg, lockingClause, ...rest } = statement;
  const place = enterWith(withClause, { ...outer, access: 'read' });
  for (const half of [larg, rarg]) if (isNode(half)) walkSelect(half, place);
  if (Array.isArray(lockingClause)) {
    const sources = sourcesOf(statement.fromClause);
    for (const lock of lockingClause) useLocked(lock, sources, place);
  }
  walk(rest, place);
}

/** Walks the WITH queries. Each sees those before it, or all if it is recursive; the rest of the statement sees all. */
function enterWith(clause: unknown, outer: Place): Place {
  if (!isNode(clause) || !Array.isArray(clause.ctes)) return outer;
  const queries = clause.ctes.map((each: Node) => each.CommonTableExpr).filter(isNode);
  const scope = new Set(outer.scope);
  if (clause.recursive === true) for (const { ctename } of queries) scope.add(String(ctename));
  for (const { ctename, ctequery } of queries) {
    walk(ctequery, { ...outer, scope: new Set(scope) });
    scope.add(String(ctename));
  }
  return { ...outer, scope };
}

/** FOR UPDATE locks the tables after OF, or all of FROM; those of a query in FROM among them. */
function useLocked(lock: unknown, sources: ReadonlyMap<string, readonly Node[]>, place: Place): void {
  if (!isNode(lock) || !isNode(lock.LockingClause)) return;
  const { lockedRels } = lock.LockingClause;
  const named = Array.isArray(lockedRels) ? relationsIn(lockedRels).map(({ relname }) => String(relname)) : undefined;
  for (const name of named ?? sources.keys()) {
    for (const relation of sources.get(name) ?? []) use(relation, { ...place, access: 'lock' });
  }
}

/** The tables in FROM under the names that the statement gives them. */
function sourcesOf(from: unknown): Map<string, readonly Node[]> {
  const sources = new Map<string, readonly Node[]>();
  const add = (item: unknown): void => {
    if (Array.isArray(item)) item.forEach(add);
    if (!isNode(item)) return;
    const { RangeVar: table, JoinExpr: join, RangeSubselect: query } = item;
    if (isNode(table)) sources.set(aliasOf(table) ?? String(table.relname), [table]);
    if (isNode(join)) [join.larg, join.rarg].forEach(add);
    if (isNode(query) && isNode(query.subquery) && isNode(query.subquery.SelectStmt)) {
      const inner = [...sourcesOf(query.subquery.SelectStmt.fromClause).values()].flat();
      sources.set(aliasOf(query) ?? '', inner);
    }
  };
  add(from);
  return sources;
}

function use(relation: Node, { scope, access, uses }: Place): void {
  const table = tableName(relation);
  if (!scope.has(table)) uses.push({ table, access });
}

function relationsIn(given: readonly unknown[]): Node[] {
  return given.flatMap((each) => (isNode(each) && isNode(each.RangeVar) ? [each.RangeVar] : []));
}

function aliasOf({ alias }: Node): string | undefined {
  return isNode(alias) ? String(alias.aliasname) : undefined;
}

/** With its schema, if the text gives one: no WITH query has such a name. */
function tableName(relation: unknown): string {
  if (!isNode(relation)) return '';
  const { schemaname, relname } = relation;
  return typeof schemaname === 'string' ? `${schemaname}.${relname}` : String(relname);
}

/** The last part of each dotted name in a list of objects. */
function stringsIn(objects: unknown): string[] {
  if (!Array.isArray(objects)) return [];
  return objects.flatMap((each: Node) => {
    const parts = isNode(each.List) && Array.isArray(each.List.items) ? each.List.items : [];
    return parts.length === 0 ? [] : [stringIn(parts.at(-1))];
  });
}

function stringIn(given: unknown): string {
  return isNode(given) && isNode(given.String) ? String(given.String.sval) : '';
}

function parse(sql: string): Node[] {
  const statements = parseSync(sql).stmts ?? [];
  return statements.map(({ stmt }): unknown => stmt).filter(isNode);
}

function isNode(given: unknown): given is Node {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
