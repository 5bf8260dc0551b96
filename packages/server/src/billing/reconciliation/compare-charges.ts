import { httpError } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { findPaymentByRef } from '../ledger/payment-queries.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { settleByRef } from '../payments/check-payments.ts';
import type { Explanation } from './explain-charge.ts';
import { type Counts, type Progress, type ReconciliationFinding, withFound } from './progress.ts';
import { type ComparedPayment, listComparedPayments, updateReconciled } from './queries.ts';
import { recordUnknownCharge } from './record-unknown-charge.ts';

/** Compares one page of the provider's payments with those here; returns the progress. */
export async function compareCharges(
  tools: BillingTools,
  provider: PaymentProvider,
  progress: Progress,
): Promise<Progress> {
  const page = await provider.listCharges({ sinceMs: progress.sinceMs, cursor: progress.cursor ?? undefined });
  if (page.kind === 'unknown') {
    throw noAnswer(page.reason);
  }
  const refs = page.charges.map((charge) => charge.paymentRef);
  const rows = await listComparedPayments(tools.database, { provider: provider.name, refs });
  const known = new Map(rows.map((row) => [row.provider_ref, row]));
  const counts: Partial<Counts> = { examined: page.charges.length };
  const findings: ReconciliationFinding[] = [];
  const seen: ComparedPayment[] = [];
  for (const charge of page.charges) {
    const payment = known.get(charge.paymentRef);
    const found =
      payment === undefined ? await explain(tools, provider, charge) : await compare(tools, charge, payment);
    counts[found.count] = (counts[found.count] ?? 0) + 1;
    if (found.finding !== undefined) {
      findings.push(found.finding);
    }
    if (payment !== undefined && (found.count === 'matched' || found.count === 'settled')) {
      seen.push(payment);
    }
  }
  await updateReconciled(tools.database, { seen, startedAt: progress.startedAtMs });
  const next: Progress =
    page.next === undefined ? { ...progress, phase: 'database', cursor: null } : { ...progress, cursor: page.next };
  return withFound(next, counts, findings);
}

/** The error if the provider does not answer; the next reconciliation continues from here. */
export function noAnswer(reason: string) {
  return httpError(
    'service_unavailable',
    `The payment provider did not answer (${reason}). Run the command again to resume.`,
  );
}

interface Found {
  count: Exclude<keyof Counts, 'examined' | 'missing'>;
  finding?: ReconciliationFinding;
}

/**
 * Compares a charge with its payment here. If they differ, the payment is settled by another request to the provider.
 */
async function compare(tools: BillingTools, charge: ProviderCharge, payment: ComparedPayment): Promise<Found> {
  if (agrees(charge, payment)) {
    return { count: 'matched' };
  }
  const { paymentRef } = charge;
  await settleByRef(tools, payment.provider, paymentRef);
  const now = await findPaymentByRef(tools.database, { provider: payment.provider, ref: paymentRef });
  if (now !== undefined && agrees(charge, { ...payment, status: now.status, amount: now.amount })) {
    return { count: 'settled' };
  }
  if (now?.settledAtMs === null) {
    // Still in flight on both sides: the job looks it up.
    return { count: 'matched' };
  }
  const detail = `${now?.status}, ${now?.amount} in the database; ${charge.status}, ${charge.amount} at the provider`;
  return { count: 'disagreeing', finding: findingOf('disagreeing', charge, payment.organization_id, detail) };
}

function agrees(charge: ProviderCharge, { status, amount, currency }: ComparedPayment): boolean {
  if (status === 'succeeded') {
    return charge.status === 'succeeded' && charge.amount === amount && charge.currency === currency;
  }
  return (status === 'declined' || status === 'canceled') && charge.status !== 'succeeded';
}

/** Explains a payment that is unknown here. */
async function explain(tools: BillingTools, provider: PaymentProvider, charge: ProviderCharge): Promise<Found> {
  if (charge.status !== 'succeeded') {
    return { count: 'unpaid' };
  }
  const explanation = await recordUnknownCharge(tools, provider.name, charge);
  switch (explanation.kind) {
    case 'known':
      return { count: 'matched' };
    case 'foreign':
    case 'awaited':
      return { count: explanation.kind };
    case 'adopted':
      return {
        count: 'adopted',
        finding: findingOf('adopted', charge, charge.organizationId ?? null, 'paid the open invoice of its period'),
      };
    case 'orphaned':
      return { count: 'orphaned', finding: findingOfOrphan(charge, explanation) };
  }
}

function findingOfOrphan(
  charge: ProviderCharge,
  { reason, organizationId }: Extract<Explanation, { kind: 'orphaned' }>,
): ReconciliationFinding {
  return findingOf('orphaned', charge, organizationId, `${charge.amount} ${charge.currency}: ${reason}`);
}

function findingOf(
  kind: ReconciliationFinding['kind'],
  { paymentRef: providerRef }: ProviderCharge,
  organizationId: string | null,
  detail: string,
): ReconciliationFinding {
  return { kind, providerRef, organizationId, detail };
}
