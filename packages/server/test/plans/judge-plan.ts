/** The parts of EXPLAIN (FORMAT JSON) that matter here. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Sort Key'?: readonly string[];
  'Plan Rows': number;
  Plans?: readonly PlanNode[];
  // Only with ANALYZE, per loop.
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
}

/**
 * What a plan must not do at this size. `rowsOf` counts a table's rows, and `mostSorted` is the number of a license's
 * rows.
 */
export function findPlanFaults(
  plan: PlanNode,
  rowsOf: (table: string) => number,
  mostSorted: number,
  isLimited = false,
): string[] {
  const below = isLimited || plan['Node Type'] === 'Limit';
  const faults = (plan.Plans ?? []).flatMap((child) => findPlanFaults(child, rowsOf, mostSorted, below));
  const table = plan['Relation Name'];
  const rows = table === undefined ? 0 : rowsOf(table);
  if (plan['Node Type'] === 'Seq Scan' && rows > SMALL_TABLE) {
    faults.push(`reads all of ${table} (${rows} rows)`);
  }
  // A scan of a whole index is a sequential scan by another name. A limit stops it soon if the planner knows that most
  // rows match. About a comparison with a clock it knows nothing, and a job that looks for due work mostly finds none.
  const isStopped = isLimited && plan.Filter?.includes('clock_timestamp()') !== true;
  const isWholeIndex = /^(Index|Index Only) Scan$/.test(plan['Node Type']) && plan['Index Cond'] === undefined;
  if (isWholeIndex && rows > SMALL_TABLE && !isStopped) {
    faults.push(`walks a whole index of ${table} (${rows} rows)`);
  }
  const sorted = plan['Node Type'] === 'Sort' ? Math.max(...(plan.Plans ?? []).map((child) => child['Plan Rows'])) : 0;
  if (sorted > mostSorted) {
    faults.push(`sorts ${sorted} rows by ${plan['Sort Key']?.join(', ')}`);
  }
  return faults;
}

/** The indexes that a plan uses. */
export function indexesOf(plan: PlanNode): string[] {
  const own = plan['Index Name'];
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(indexesOf)];
}

/** How many rows the scans of an executed plan read, including those that they discarded. */
export function readRows(plan: PlanNode): number {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Relation Name'] === undefined ? 0 : (plan['Actual Rows'] ?? 0) + removed;
  return (plan.Plans ?? []).reduce((sum, child) => sum + readRows(child), own * (plan['Actual Loops'] ?? 0));
}

/** Tables of one page or a few are rightly read as a whole. */
const SMALL_TABLE = 1_000;
