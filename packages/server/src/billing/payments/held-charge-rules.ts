import type { PaymentState } from '../ledger/payment-state.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { requestDigestOf } from './request-digest.ts';

/** What is to be done with a payment, in view of the charges that the provider holds for the same. */
export type HeldVerdict =
  /** Charge it under this attempt's number, once `open` are closed at the provider. */
  | { kind: 'charge'; attempt: number; open: readonly ProviderCharge[] }
  /** It was charged already, or is being charged: that is this payment. */
  | { kind: 'adopt'; charge: ProviderCharge }
  /** It was charged already with another amount, which becomes credit. */
  | { kind: 'credit'; charge: ProviderCharge }
  /** The provider is processing a charge of another amount: wait for its outcome. */
  | { kind: 'wait' };

/** Judges a payment whose period may have been charged by a history that was lost. Charges that are known here are canceled in `held`. */
export function judgeHeld(payment: PaymentState, held: readonly ProviderCharge[]): HeldVerdict {
  const same = held.filter((charge) => isForTheSame(payment, charge));
  const paid = same.filter(({ status }) => status === 'succeeded');
  const exact = paid.find((charge) => isOfSameAmount(payment, charge));
  if (exact !== undefined) {
    return { kind: 'adopt', charge: exact };
  }
  const [other] = paid;
  if (other !== undefined) {
    return { kind: 'credit', charge: other };
  }
  const underWay = same.find(({ status }) => status === 'processing' || status === 'unknown');
  if (underWay !== undefined) {
    const isOurs = underWay.status === 'processing' && isOfSameAmount(payment, underWay);
    return isOurs ? { kind: 'adopt', charge: underWay } : { kind: 'wait' };
  }
  const announced = same.find(
    (charge) =>
      charge.status === 'unconfirmed' && isOfSameAmount(payment, charge) && charge.methodRef === payment.methodRef,
  );
  if (announced !== undefined) {
    return { kind: 'adopt', charge: announced };
  }
  const attempts = held.filter((charge) => isOfSameCount(payment, charge)).map(({ reason }) => reason?.attempt ?? 0);
  const attempt = Math.max(payment.attempt ?? 1, ...attempts.map((each) => each + 1));
  return { kind: 'charge', attempt, open: same.filter(({ status }) => CLOSABLE.has(status)) };
}

/** Nobody collects these by themselves, but a customer, or a process that was taken for dead, still could. */
const CLOSABLE: ReadonlySet<ProviderCharge['status']> = new Set(['unconfirmed', 'requires_action', 'failed']);

/** All attempts for a period share a counter, and so do all changes of a subscription. */
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
