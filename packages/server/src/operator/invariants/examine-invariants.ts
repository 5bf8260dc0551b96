import { type Pause, systemPause } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Finding } from '../finding.ts';
import { ACCOUNT_INVARIANTS } from './account-queries.ts';
import { EVENT_INVARIANTS } from './event-queries.ts';
import { InvariantExam } from './invariant-exam.ts';
import { INVOICE_INVARIANTS } from './invoice-queries.ts';
import { LICENSE_INVARIANTS } from './license-queries.ts';
import { PAYMENT_INVARIANTS } from './payment-queries.ts';
import { defineExam, type Exam } from './subject-queries.ts';
import { SUBSCRIPTION_INVARIANTS } from './subscription-queries.ts';
import { WEBHOOK_INVARIANTS } from './webhook-queries.ts';

const EXAMS = [
  ...SUBSCRIPTION_INVARIANTS,
  ...LICENSE_INVARIANTS,
  ...INVOICE_INVARIANTS,
  ...PAYMENT_INVARIANTS,
  ...ACCOUNT_INVARIANTS,
  ...EVENT_INVARIANTS,
  ...WEBHOOK_INVARIANTS,
].map(defineExam);

/** The options of examining invariants. */
export interface InvariantSettings {
  /** How long events are kept, in days: older changes may no longer have any. The setting's default if not given. */
  retentionDays?: number;
  /** Waits before a second check. */
  pause?: Pause;
}

/**
 * Checks the data of one environment against all invariants, one finding per invariant; changes nothing and may run
 * alongside a service. A check that could not run is also a fault. Never throws.
 */
export async function examineInvariants(database: Queries, settings: InvariantSettings = {}): Promise<Finding[]> {
  const { retentionDays = 30, pause = systemPause } = settings;
  const findings: Finding[] = [];
  for (const exam of EXAMS) {
    findings.push(await examineInvariant(database, exam, { retentionDays, pause }));
  }
  return findings;
}

async function examineInvariant(
  database: Queries,
  exam: Exam,
  settings: Required<InvariantSettings>,
): Promise<Finding> {
  try {
    return await new InvariantExam(database, exam, settings).run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { check: exam.promise, ok: false, detail: `could not be checked: ${reason}` };
  }
}
