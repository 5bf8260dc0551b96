import type { Queries, Statement } from '../../database/index.ts';

/** How many payments a reconciliation found in each state. */
export interface Counts {
  /** Payments of the provider that were looked at. */
  examined: number;
  /** The same at both. */
  matched: number;
  /** In flight here, or booked as failed, and settled now as the provider says. */
  settled: number;
  /** Unknown here, and booked now as what they paid for. */
  adopted: number;
  /** Unknown here, and about to be taken by a renewal or a payment under way. */
  awaited: number;
  /** Unknown here, and explained by nothing. */
  orphaned: number;
  /** Unknown here, but they took no money. */
  unpaid: number;
  /** Of something else that uses the provider's account. */
  foreign: number;
  /** Otherwise here than at the provider. */
  disagreeing: number;
  /** Paid here, and unknown to the provider. */
  missing: number;
}

export const NO_COUNTS: Counts = {
  examined: 0,
  matched: 0,
  settled: 0,
  adopted: 0,
  awaited: 0,
  orphaned: 0,
  unpaid: 0,
  foreign: 0,
  disagreeing: 0,
  missing: 0,
};

/** Something that a person should look at. */
export interface ReconciliationFinding {
  kind: 'adopted' | 'orphaned' | 'disagreeing' | 'missing';
  providerRef: string;
  organizationId: string | null;
  detail: string;
}

/** How far a reconciliation has come. Real time, in milliseconds. */
export interface Progress {
  sinceMs: number;
  startedAtMs: number;
  finishedAtMs: number | null;
  phase: 'provider' | 'database';
  /** Where the phase goes on; null at its beginning. */
  cursor: string | null;
  counts: Counts;
  /** The first hundred. */
  findings: readonly ReconciliationFinding[];
}

const MOST_FINDINGS = 100;

/** Adds what a portion found. */
export function withFound(
  progress: Progress,
  counts: Partial<Counts>,
  findings: readonly ReconciliationFinding[],
): Progress {
  const sums: Counts = { ...progress.counts };
  for (const name of COUNT_NAMES) {
    sums[name] += counts[name] ?? 0;
  }
  return { ...progress, counts: sums, findings: [...progress.findings, ...findings].slice(0, MOST_FINDINGS) };
}

const COUNT_NAMES = [
  'examined',
  'matched',
  'settled',
  'adopted',
  'awaited',
  'orphaned',
  'unpaid',
  'foreign',
  'disagreeing',
  'missing',
] as const;

/** The last reconciliation with a provider, finished or not. */
export async function findLastProgress(database: Queries, provider: string): Promise<Progress | undefined> {
  const [row] = await database.query(FIND_PROGRESS, [provider]);
  return row === undefined
    ? undefined
    : {
        sinceMs: row.since.getTime(),
        startedAtMs: row.started_at.getTime(),
        finishedAtMs: row.finished_at?.getTime() ?? null,
        phase: row.phase,
        cursor: row.cursor,
        counts: row.counts.counts,
        findings: row.counts.findings,
      };
}

/** Writes a new one in the place of the last. */
export async function beginProgress(database: Queries, provider: string, progress: Progress): Promise<void> {
  await database.query(BEGIN_PROGRESS, [provider, progress.sinceMs, progress.startedAtMs, contentOf(progress)]);
}

/** Writes how far it has come; false when another has begun meanwhile. */
export async function saveProgress(database: Queries, provider: string, progress: Progress): Promise<boolean> {
  const { startedAtMs, finishedAtMs, phase, cursor } = progress;
  const values = [provider, startedAtMs, finishedAtMs, phase, cursor, contentOf(progress)];
  return (await database.query(UPDATE_PROGRESS, values)).length > 0;
}

function contentOf({ counts, findings }: Progress): string {
  return JSON.stringify({ counts, findings });
}

interface ProgressRow {
  since: Date;
  started_at: Date;
  finished_at: Date | null;
  phase: Progress['phase'];
  cursor: string | null;
  counts: Pick<Progress, 'counts' | 'findings'>;
}

const FIND_PROGRESS: Statement<ProgressRow> = {
  name: 'find_payment_reconciliation',
  text: 'select since, started_at, finished_at, phase, cursor, counts from payment_reconciliations where provider = $1',
};

const BEGIN_PROGRESS: Statement<never> = {
  name: 'begin_payment_reconciliation',
  text: `insert into payment_reconciliations (provider, since, started_at, phase, counts)
    values ($1, to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000), 'provider', $4::jsonb)
    on conflict (provider) do update set since = excluded.since, started_at = excluded.started_at, finished_at = null,
      phase = excluded.phase, cursor = null, counts = excluded.counts`,
};

const UPDATE_PROGRESS: Statement<{ provider: string }> = {
  name: 'update_payment_reconciliation',
  text: `update payment_reconciliations set finished_at = to_timestamp($3::float8 / 1000), phase = $4, cursor = $5,
      counts = $6::jsonb
    where provider = $1 and started_at = to_timestamp($2::float8 / 1000) returning provider`,
};
