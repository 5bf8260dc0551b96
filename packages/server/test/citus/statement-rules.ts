import { DISTRIBUTED_BY, type Placement } from './choose-tables.ts';
import { isNode, lastName, nodesOf, parseStatements, stringIn, tableOf } from './syntax-tree.ts';
import { areTied } from './tied-tables.ts';

/** Why a statement cannot run on divided tables. */
export type Fault = 'volatile-in-write' | 'locks-several' | 'lateral-limit' | 'join-without-column';

/** What prevents a statement from running, by its text alone. Finding nothing proves nothing: replay it on Citus. */
export function faultsOf(sql: string, placements: ReadonlyMap<string, Placement>): Fault[] {
  const isDivided = (table: string) => placements.get(table)?.kind === 'distributed';
  const roots = parseStatements(sql);
  const faults = new Set<Fault>();
  const tables = [...nodesOf(roots, 'RangeVar')].map((each) => tableOf(each));
  const written = [...nodesOf(roots, 'relation')].map((each) => tableOf(each));
  // A table that every machine has a copy of is written on each of them, where clocks would differ.
  if (written.some((table) => isSpread(placements.get(table))) && hasVolatileWrite(roots)) {
    faults.add('volatile-in-write');
  }
  if (tables.some(isDivided)) {
    if (locksSeveral(roots, isDivided)) faults.add('locks-several');
    if (hasLateralLimit(roots)) faults.add('lateral-limit');
  }
  if (!areTied(roots, isDivided)) faults.add('join-without-column');
  return [...faults];
}

function isSpread(placement: Placement | undefined): boolean {
  return placement?.kind === 'distributed' || placement?.kind === 'reference';
}

// --- Clocks and dice ---

const VOLATILE = new Set(['clock_timestamp', 'random', 'gen_random_uuid', 'timeofday', 'nextval', 'setval']);

/**
 * In an update, a deletion, a conflict's action or RETURNING. The values of an insert are computed before it is sent.
 */
function hasVolatileWrite(roots: unknown): boolean {
  const parts = [
    ...nodesOf(roots, 'UpdateStmt'),
    ...nodesOf(roots, 'DeleteStmt'),
    ...[...nodesOf(roots, 'InsertStmt')].flatMap((each) => [each.onConflictClause, each.returningClause]),
  ];
  return parts.some((part) => [...nodesOf(part, 'FuncCall')].some((call) => VOLATILE.has(lastName(call.funcname))));
}

// --- Locks ---

/** FOR UPDATE on a divided table reaches a single machine only if it names one organization. */
function locksSeveral(roots: unknown, isDivided: (table: string) => boolean): boolean {
  return [...nodesOf(roots, 'SelectStmt')].some((select) => {
    const locks = Array.isArray(select.lockingClause) && select.lockingClause.length > 0;
    const sources = [...nodesOf(select.fromClause, 'RangeVar')];
    const isAboutDivided = sources.some((each) => isDivided(tableOf(each)));
    return locks && isAboutDivided && !namesOneOrganization(select);
  });
}

function namesOneOrganization(select: unknown): boolean {
  return [...nodesOf(select, 'A_Expr')].some(
    ({ kind, name, lexpr, rexpr }) =>
      kind === 'AEXPR_OP' &&
      lastName(name) === '=' &&
      isOrganization(lexpr) &&
      !(isNode(rexpr) && 'ColumnRef' in rexpr),
  );
}

function isOrganization(expression: unknown): boolean {
  const reference = isNode(expression) ? expression.ColumnRef : undefined;
  return isNode(reference) && Array.isArray(reference.fields) && stringIn(reference.fields.at(-1)) === DISTRIBUTED_BY;
}

function hasLateralLimit(roots: unknown): boolean {
  return [...nodesOf(roots, 'RangeSubselect')].some(
    (each) =>
      each.lateral === true && [...nodesOf(each.subquery, 'SelectStmt')].some((select) => 'limitCount' in select),
  );
}
