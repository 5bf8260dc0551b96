import type { PaymentState } from '../ledger/payment-state.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { requestDigestOf } from '../payments/collect-payment.ts';

/** How to continue with a payment, given the provider's charges for the same purpose. */
export type RecoveryVerdict =
  /** Charge it under this attempt number, after closing `open` at the provider. */
  | { kind: 'charge'; attempt: number; open: readonly ProviderCharge[] }
  /** It was already charged, or is being charged: this is the payment. */
  | { kind: 'adopt'; charge: ProviderCharge }
  /** It was already charged with a different amount, which becomes credit. */
  | { kind: 'credit'; charge: ProviderCharge }
  /** The provider is processing a charge with a different amount: wait for its outcome. */
  | { kind: 'wait' };

/** Judges whether the records of a payment's charge were lost. Charges that are recorded here count as canceled. */
export function judgeCharges(payment: PaymentState, charges: readonly ProviderCharge[]): RecoveryVerdict {
  const same = charges.filter((charge) => isForTheSame(payment, charge));
  const paid = same.filter(({ status }) => status === 'succeeded');
  const exact = paid.find((charge) => isOfSameAmount(payment, charge));
  if (exact !== undefined) {
    return { kind: 'adopt', charge: exact };
  }
  const [other] = paid;
  if (other !== undefined) {
    return { kind: 'credit', charge: other };
  }
  const inFlight = same.find(({ status }) => status === 'processing' || status === 'unknown');
  if (inFlight !== undefined) {
    const isOurs = inFlight.status === 'processing' && isOfSameAmount(payment, inFlight);
    return isOurs ? { kind: 'adopt', charge: inFlight } : { kind: 'wait' };
  }
  const prepared = same.find(
    (charge) =>
      charge.status === 'unconfirmed' && isOfSameAmount(payment, charge) && charge.methodRef === payment.methodRef,
  );
  if (prepared !== undefined) {
    return { kind: 'adopt', charge: prepared };
  }
  const attempts = charges.filter((charge) => isOfSameCount(payment, charge)).map(({ reason }) => reason?.attempt ?? 0);
  const attempt = Math.max(payment.attempt ?? 1, ...attempts.map((each) => each + 1));
  return { kind: 'charge', attempt, open: same.filter(({ status }) => CLOSABLE.has(status)) };
}

/** These are not collected by themselves, but a customer, or a process presumed dead, still could. */
const CLOSABLE: ReadonlySet<ProviderCharge['status']> = new Set(['unconfirmed', 'requires_action', 'failed']);

/** All attempts for a period share a counter, as do all changes of a subscription. */
function isOfSameCount(payment: PaymentState, { purpose, reason }: ProviderCharge): boolean {
  if (reason?.subscriptionId !== payment.subscriptionId) {
    return false;
  }
  return payment.purpose === 'change'
    ? purpose === 'change'
    : purpose !== 'change' && reason.periodIndex === payment.periodIndex;
}

function isForTheSame(payment: PaymentState, charge: ProviderCharge): boolean {
  if (payment.intent.kind === 'create') {
    // A repeated purchase has a new subscription, and shares only the request with the lost one.
    const request = requestDigestOf(payment);
    return request !== null && charge.reason?.request === request;
  }
  if (!isOfSameCount(payment, charge) || charge.reason?.periodIndex !== payment.periodIndex) {
    return false;
  }
  if (payment.intent.kind !== 'change') {
    return true;
  }
  // Two changes are the same if the customer gets the same plan and quantity: the price depends on the second.
  const { planId, quantity } = payment.intent;
  return charge.reason.order?.planId === planId && charge.reason.order.quantity === quantity;
}

function isOfSameAmount(payment: PaymentState, charge: ProviderCharge): boolean {
  return charge.amount === payment.amount && charge.currency === payment.currency;
}
