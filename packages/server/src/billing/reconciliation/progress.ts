/** How many payments a reconciliation found in each state. */
export interface Counts {
  /** Payments of the provider that were examined. */
  examined: number;
  /** The same on both sides. */
  matched: number;
  /** In flight or booked as failed here, and now settled to match the provider. */
  settled: number;
  /** Unknown here, and now booked for their purpose. */
  adopted: number;
  /** Unknown here, and expected to be taken by a renewal or a payment in flight. */
  awaited: number;
  /** Unknown here, without an explanation. */
  orphaned: number;
  /** Unknown here, but collected no money. */
  unpaid: number;
  /** Made by something else that uses the provider's account. */
  foreign: number;
  /** Different here and at the provider. */
  disagreeing: number;
  /** Paid here, but unknown to the provider. */
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

/** Something that a person should review. */
export interface ReconciliationFinding {
  kind: 'adopted' | 'orphaned' | 'disagreeing' | 'missing';
  providerRef: string;
  organizationId: string | null;
  detail: string;
}

/** The progress of a reconciliation. Real time, in milliseconds. */
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

/** Adds the findings of a portion. */
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
