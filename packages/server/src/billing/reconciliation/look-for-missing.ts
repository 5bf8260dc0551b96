import type { BillingTools } from '../billing-tools.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { noAnswer } from './compare-charges.ts';
import { type Progress, type ReconciliationFinding, withFound } from './progress.ts';
import { type ComparedPayment, listUnseenPayments, updateReconciled } from './queries.ts';

const PORTION = 100;

/**
 * Looks up payments that are paid here but were not in the provider's list, one by one, because there are few. The list
 * does not contain payments made before its beginning, or while it was read.
 */
export async function lookForMissing(
  tools: BillingTools,
  provider: PaymentProvider,
  progress: Progress,
): Promise<Progress> {
  const unseen = await listUnseenPayments(tools.database, {
    provider: provider.name,
    ...positionOf(progress),
    startedAt: progress.startedAtMs,
    limit: PORTION,
  });
  const findings: ReconciliationFinding[] = [];
  const seen: ComparedPayment[] = [];
  let missing = 0;
  let disagreeing = 0;
  for (const payment of unseen) {
    const { provider_ref: providerRef, organization_id: organizationId, amount, currency } = payment;
    const described = await provider.describeCharge({ paymentRef: providerRef, nowMs: tools.clock.nowMs() });
    if (described.kind === 'unknown') {
      throw noAnswer(described.reason);
    }
    if (described.kind === 'missing') {
      missing += 1;
      const detail = `${payment.id} of ${amount} ${currency} is paid in the database but does not exist at the provider`;
      findings.push({ kind: 'missing', providerRef, organizationId, detail });
    } else if (described.charge.status !== 'succeeded') {
      disagreeing += 1;
      const detail = `${payment.id} is paid in the database but ${described.charge.status} at the provider`;
      findings.push({ kind: 'disagreeing', providerRef, organizationId, detail });
    } else {
      seen.push(payment);
    }
  }
  await updateReconciled(tools.database, { seen, startedAt: progress.startedAtMs });
  const last = unseen.at(-1);
  const isDone = unseen.length < PORTION || last === undefined;
  const next: Progress = isDone
    ? { ...progress, cursor: null, finishedAtMs: tools.clock.nowMs() }
    : { ...progress, cursor: `${last.created_at.getTime()} ${last.id}` };
  return withFound(next, { matched: seen.length, missing, disagreeing }, findings);
}

/** Where the next portion begins, after the last payment of the previous one. */
function positionOf({ cursor, sinceMs }: Progress): { createdAfter: number; idAfter: string } {
  const [createdMs = String(sinceMs), idAfter = ''] = cursor?.split(' ') ?? [];
  return { createdAfter: Number(createdMs), idAfter };
}
