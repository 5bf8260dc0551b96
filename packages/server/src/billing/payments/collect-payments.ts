import type { BillingTools } from '../billing-tools.ts';
import { updatePaymentRefs } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { confirmPrepared, type PreparedPayment, preparePayment } from './collect-payment.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { CollectOutcome } from './settle-payment.ts';

/** Payments with their outcomes. */
export type Outcomes = ReadonlyArray<readonly [PaymentState, CollectOutcome]>;

/** Charges of one organization that are in flight at the same time. */
const CHARGES = 8;

/**
 * Collects new payments of one organization like collectPayment, but stores all of the provider's references together.
 * A payment that fails is not among the outcomes: it stays claimed for a minute, and is then looked up.
 */
export async function collectPayments(
  tools: BillingTools,
  provider: PaymentProvider,
  payments: readonly PaymentState[],
  nowMs: number,
): Promise<Outcomes> {
  const [first] = payments;
  if (first === undefined) {
    return [];
  }
  const charges = await orUndefined(tools, first, () => tools.recovery.findCharges(provider, payments, nowMs));
  if (charges === undefined) {
    return [];
  }
  const prepared = await mapConcurrently(payments, CHARGES, async (payment) => ({
    payment,
    prepared: await orUndefined(tools, payment, () => preparePayment(tools, provider, payment, nowMs, charges)),
  }));
  const toConfirm = prepared.flatMap((each) =>
    each.prepared?.kind === 'prepared' ? { payment: each.payment, prepared: each.prepared } : [],
  );
  // Payments whose reference cannot be stored are not charged.
  const waiting = await orUndefined(tools, first, () => noteRefs(tools, first, toConfirm));
  const outcomes = await mapConcurrently(prepared, CHARGES, async ({ payment, prepared: each }) => {
    if (each?.kind !== 'prepared') {
      return each;
    }
    if (waiting === undefined) {
      return undefined;
    }
    // Another process settled it in the meantime: charge nothing, and leave nothing open at the provider.
    return orUndefined(tools, payment, () =>
      waiting.has(payment.id)
        ? confirmPrepared(tools, provider, payment, each, nowMs)
        : provider.cancel({ paymentRef: each.ref, nowMs }),
    );
  });
  return payments.flatMap((payment, place) => {
    const outcome = outcomes[place];
    return outcome === undefined ? [] : [[payment, outcome] as const];
  });
}

/** Stores the provider's references of payments; returns the IDs of those that still wait to be charged. */
async function noteRefs(
  { database, clock }: BillingTools,
  { organizationId, provider }: PaymentState,
  toConfirm: ReadonlyArray<{ payment: PaymentState; prepared: PreparedPayment }>,
): Promise<ReadonlySet<string>> {
  if (toConfirm.length === 0) {
    return new Set();
  }
  const prepared = toConfirm.map((each) => ({
    id: each.payment.id,
    ref: each.prepared.ref,
    attempt: each.prepared.attempt,
  }));
  return new Set(await updatePaymentRefs(database, { organizationId, provider, prepared, now: clock.nowMs() }));
}

/** Logs a payment that fails, so that it does not stop the others. */
async function orUndefined<Result>(
  { log }: BillingTools,
  payment: PaymentState,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    log.error({ err: error, payment: payment.id }, 'a payment could not be collected');
    return undefined;
  }
}
