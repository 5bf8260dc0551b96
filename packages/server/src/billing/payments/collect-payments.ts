import type { BillingTools } from '../billing-tools.ts';
import { updatePaymentRefs } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { announcePayment, confirmAnnounced } from './collect-payment.ts';
import { findHeldCharges } from './find-held-charges.ts';
import { inLanes } from './in-lanes.ts';
import type { CollectOutcome } from './settle-payment.ts';

/** Payments with what came of each. */
export type Outcomes = ReadonlyArray<readonly [PaymentState, CollectOutcome]>;

/** Charges of one organization that are under way at the same time. */
const CHARGES = 8;

/**
 * Collects new payments of one organization as collectPayment does each, but writes down the provider's names of all of them
 * at once. What cannot be asked now is not among the answers: it stays claimed for a minute, and is looked up then.
 */
export async function collectPayments(
  tools: BillingTools,
  provider: PaymentProvider,
  payments: readonly PaymentState[],
  nowMs: number,
): Promise<Outcomes> {
  const held = await orUndefined(tools, payments[0], () => findHeldCharges(tools, provider, payments, nowMs));
  const announced = await inLanes(payments, CHARGES, async (payment) =>
    held === undefined
      ? undefined
      : orUndefined(tools, payment, () => announcePayment(tools, provider, payment, nowMs, held)),
  );
  const refs = payments.flatMap(({ id }, place) => {
    const each = announced[place];
    return each !== undefined && 'ref' in each ? [{ id, ref: each.ref, attempt: each.attempt }] : [];
  });
  // What cannot be written down is not charged.
  const waiting = await orUndefined(tools, payments[0], () => noteRefs(tools, payments[0], refs));
  const places = [...payments.keys()];
  const outcomes = await inLanes(places, CHARGES, async (place): Promise<CollectOutcome | undefined> => {
    const payment = payments[place];
    const each = announced[place];
    if (each === undefined || !('ref' in each)) {
      return each;
    }
    if (payment === undefined || waiting === undefined) {
      return undefined;
    }
    // Another process settled it in the meantime: charge nothing, and leave nothing open at the provider.
    return orUndefined(tools, payment, () =>
      waiting.has(payment.id)
        ? confirmAnnounced(tools, provider, payment, each, nowMs)
        : provider.cancel({ paymentRef: each.ref, nowMs }),
    );
  });
  return payments.flatMap((payment, place) => {
    const outcome = outcomes[place];
    return outcome === undefined ? [] : [[payment, outcome] as const];
  });
}

/** Notes the provider's identifiers of payments; returns which of them still wait to be charged. */
async function noteRefs(
  { database, clock }: BillingTools,
  payment: PaymentState | undefined,
  announced: ReadonlyArray<{ id: string; ref: string; attempt: number | null }>,
): Promise<ReadonlySet<string>> {
  if (payment === undefined || announced.length === 0) {
    return new Set();
  }
  const { organizationId, provider } = payment;
  return new Set(await updatePaymentRefs(database, { organizationId, provider, announced, now: clock.nowMs() }));
}

/** Logs a payment that fails, so that it does not stop the others. */
async function orUndefined<Result>(
  { log }: BillingTools,
  payment: PaymentState | undefined,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    log.error({ err: error, payment: payment?.id }, 'a payment could not be collected');
    return undefined;
  }
}
