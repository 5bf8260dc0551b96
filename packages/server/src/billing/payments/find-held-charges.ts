import type { BillingTools } from '../billing-tools.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { listUnadoptableRefs } from './orphan-queries.ts';
import { requestDigestOf } from './request-digest.ts';

/** For each payment id, the provider's charges for its subscription; undefined if the provider did not answer. */
export type HeldCharges = ReadonlyMap<string, readonly ProviderCharge[] | undefined>;

/** Server clocks differ, so the period may have begun slightly earlier on another server. */
const SLACK_MS = 86_400_000;

/**
 * Asks the provider what it holds for payments of one organization whose outcome is not known here: rows restored from a
 * backup, or a database that took over without the last transactions, do not say what was charged since. Idempotency keys
 * alone do not help, since providers forget them after a day. One question for each customer.
 */
export async function findHeldCharges(
  tools: BillingTools,
  provider: PaymentProvider,
  payments: readonly PaymentState[],
  nowMs: number,
): Promise<HeldCharges> {
  const held = new Map<string, readonly ProviderCharge[] | undefined>();
  const asked = Map.groupBy(payments.filter(mayBeHeld), (payment) => payment.customerRef);
  for (const [customerRef, some] of asked) {
    const oldestMs = Math.min(...some.map((payment) => payment.periodStartMs ?? nowMs));
    const found = await provider.findCharges({
      customerRef,
      subscriptionIds: [...new Set(some.map((payment) => payment.subscriptionId))],
      requests: some.flatMap((payment) => requestDigestOf(payment) ?? []),
      // The provider's time is real, also where an organization's clock runs ahead.
      sinceMs: tools.clock.nowMs() - Math.max(nowMs - oldestMs, 0) - SLACK_MS,
      nowMs,
    });
    const charges = found.kind === 'found' ? await withoutTaken(tools, provider, found.charges) : undefined;
    if (found.kind === 'unknown') {
      tools.log.warn({ reason: found.reason }, 'the payment provider did not answer which payments it has charged');
    }
    for (const payment of some) {
      held.set(payment.id, charges);
    }
  }
  return held;
}

/**
 * A subscription that is being bought is new, so no charge can be held for it, unless the same request bought before. A
 * payment that an earlier version began has no reason, and is collected under the key of its id, as it was begun.
 */
export function mayBeHeld({ purpose, attempt, providerRef, requestKey }: PaymentState): boolean {
  return attempt !== null && providerRef === null && (purpose !== 'create' || requestKey !== null);
}

/**
 * What is a payment here, or was resolved by staff, cannot be taken, so it is as good as canceled. Its attempt still counts:
 * under the same number the provider would answer it again.
 */
async function withoutTaken(
  { database }: BillingTools,
  provider: PaymentProvider,
  charges: readonly ProviderCharge[],
): Promise<readonly ProviderCharge[]> {
  if (charges.length === 0) {
    return charges;
  }
  const refs = charges.map((charge) => charge.paymentRef);
  const taken = new Set(await listUnadoptableRefs(database, { provider: provider.name, refs }));
  return charges.map((charge) => (taken.has(charge.paymentRef) ? { ...charge, status: 'canceled' } : charge));
}
