import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { requireProvider } from '../payment-methods/attach-method.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { compareCharges } from './compare-charges.ts';
import { lookForMissing } from './look-for-missing.ts';
import { NO_COUNTS, type Progress } from './progress.ts';
import { findLastProgress, updateProgress, upsertProgress } from './progress-queries.ts';

/** The result of a reconciliation. */
export interface Reconciliation extends Progress {
  provider: 'test' | 'stripe';
  /** Whether it resumed an interrupted one. */
  isResumed: boolean;
}

/** Records a finished reconciliation. */
export type RecordReconciliation = (tx: Queries, done: Reconciliation) => Promise<void>;

const DAY_MS = 86_400_000;
/** How far the first one looks back by default. */
const FIRST_MS = 30 * DAY_MS;

/**
 * Compares the provider's payments with those here, in both directions, page by page: unknown payments are adopted or
 * kept as orphaned; payments missing at the provider are reported. It can be repeated, and resumes an interrupted one.
 * `sinceMs`: real time; by default a day before the last finished one. Throws service_unavailable if the provider does
 * not answer. `record` runs in the last transaction.
 */
export async function reconcilePayments(
  tools: BillingTools,
  sinceMs: number | undefined,
  record: RecordReconciliation,
): Promise<Reconciliation> {
  const provider = requireProvider(tools);
  const { isResumed, ...begun } = await begin(tools, provider, sinceMs);
  let progress: Progress = begun;
  while (progress.finishedAtMs === null) {
    const next: Progress =
      progress.phase === 'provider'
        ? await compareCharges(tools, provider, progress)
        : await lookForMissing(tools, provider, progress);
    await tools.database.transaction(async (tx) => {
      if ((await saveProgress(tx, provider, next)) === 0) {
        throw httpError('conflict', 'Another reconciliation of these payments has started.');
      }
      if (next.finishedAtMs !== null) {
        await record(tx, { ...next, provider: provider.name, isResumed });
      }
    });
    progress = next;
  }
  return { ...progress, provider: provider.name, isResumed };
}

function saveProgress(tx: Queries, provider: PaymentProvider, progress: Progress): Promise<number> {
  const { startedAtMs: startedAt, finishedAtMs: finishedAt, phase, cursor, counts, findings } = progress;
  return updateProgress(tx, {
    provider: provider.name,
    startedAt,
    finishedAt,
    phase,
    cursor,
    found: { counts, findings },
  });
}

async function begin(
  { database, clock }: BillingTools,
  provider: PaymentProvider,
  sinceMs: number | undefined,
): Promise<Progress & { isResumed: boolean }> {
  const last = await findLastProgress(database, { provider: provider.name });
  if (last?.finishedAtMs === null && (sinceMs === undefined || sinceMs === last.sinceMs)) {
    return { ...last, isResumed: true };
  }
  const nowMs = clock.nowMs();
  const usualMs =
    last?.finishedAtMs === undefined || last.finishedAtMs === null ? nowMs - FIRST_MS : last.startedAtMs - DAY_MS;
  const progress: Progress = {
    sinceMs: sinceMs ?? usualMs,
    startedAtMs: nowMs,
    finishedAtMs: null,
    phase: 'provider',
    cursor: null,
    counts: NO_COUNTS,
    findings: [],
  };
  const { sinceMs: since, startedAtMs: startedAt, counts, findings } = progress;
  await upsertProgress(database, { provider: provider.name, since, startedAt, found: { counts, findings } });
  return { ...progress, isResumed: false };
}
