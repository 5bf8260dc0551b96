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
  /** Where the phase continues; null at its beginning. */
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
