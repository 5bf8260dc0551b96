import type { BillingTools } from '../billing-tools.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import type { ProviderCharges } from '../payments/charge-recovery.ts';
import { requestDigestOf } from '../payments/collect-payment.ts';
import { listUnadoptableRefs } from './queries.ts';

/** Server clocks differ, so the period may have begun slightly earlier on another server. */
const SLACK_MS = 86_400_000;

/**
 * Looks up the provider's charges for payments of one organization whose outcome is unknown here. Idempotency keys
 * alone do not prevent another charge, because providers forget keys after a day. One request per customer.
 */
export async function findUnrecordedCharges(
  tools: BillingTools,
  provider: PaymentProvider,
  payments: readonly PaymentState[],
  nowMs: number,
): Promise<ProviderCharges> {
  const chargesOf = new Map<string, readonly ProviderCharge[] | undefined>();
  const asked = Map.groupBy(payments.filter(mayBeUnrecorded), (payment) => payment.customerRef);
  for (const [customerRef, some] of asked) {
    const oldestMs = Math.min(...some.map((payment) => payment.periodStartMs ?? nowMs));
    const found = await provider.findCharges({
      customerRef,
      subscriptionIds: [...new Set(some.map((payment) => payment.subscriptionId))],
      requests: some.flatMap((payment) => requestDigestOf(payment) ?? []),
      // The provider uses real time, even if an organization's clock runs ahead.
      sinceMs: tools.clock.nowMs() - Math.max(nowMs - oldestMs, 0) - SLACK_MS,
      nowMs,
    });
    const charges = found.kind === 'found' ? await withoutKnown(tools, provider, found.charges) : undefined;
    if (found.kind === 'unknown') {
      tools.log.warn({ reason: found.reason }, 'the payment provider did not answer which payments it has charged');
    }
    for (const payment of some) {
      chargesOf.set(payment.id, charges);
    }
  }
  return chargesOf;
}

/**
 * A subscription that is being bought is new, so there is no charge for it, unless the same request bought before. A
 * payment begun by an earlier version has no reason, and is still collected under the key of its ID.
 */
export function mayBeUnrecorded({ purpose, attempt, providerRef, requestKey }: PaymentState): boolean {
  return attempt !== null && providerRef === null && (purpose !== 'create' || requestKey !== null);
}

/**
 * A charge that is a payment here, or that staff resolved, is no longer free, so it counts as canceled. Its attempt
 * number stays used: under the same number, the provider would return it again.
 */
async function withoutKnown(
  { database }: BillingTools,
  provider: PaymentProvider,
  charges: readonly ProviderCharge[],
): Promise<readonly ProviderCharge[]> {
  if (charges.length === 0) {
    return charges;
  }
  const refs = charges.map((charge) => charge.paymentRef);
  const known = new Set(await listUnadoptableRefs(database, { provider: provider.name, refs }));
  return charges.map((charge) => (known.has(charge.paymentRef) ? { ...charge, status: 'canceled' } : charge));
}
