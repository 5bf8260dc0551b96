import { type Answer, httpError, type Unfinished } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { requireProvider } from '../payment-methods/attach-token.ts';
import { cancelPayment } from './collect-payment.ts';
import type { PaymentState } from './payment-state.ts';

/** A payment that was begun, or one that has to be given up before anything can be. */
export interface BegunPayment {
  payment: PaymentState;
  /** The organization's clock. */
  nowMs: number;
  /** Whether it is an earlier one, which waits for the customer and gives way. */
  isInTheWay: boolean;
}

/**
 * Begins something on a subscription; an earlier payment that still waits for the customer is given up first, so that no
 * money comes for what was overtaken. Throws conflict when it cannot be given up any more.
 */
export async function beginGivingWay(
  tools: BillingTools,
  begin: () => Promise<Answer<unknown> | Unfinished<BegunPayment>>,
): Promise<Answer<unknown> | Unfinished<BegunPayment>> {
  const first = await begin();
  if (!('unfinished' in first) || !first.unfinished.isInTheWay) {
    return first;
  }
  const { payment, nowMs } = first.unfinished;
  await cancelPayment(tools, requireProvider(tools), payment, nowMs);
  const second = await begin();
  if ('unfinished' in second && second.unfinished.isInTheWay) {
    throw paymentUnderWay();
  }
  return second;
}

/** The refusal of whatever would meet a payment whose outcome is not known yet. */
export function paymentUnderWay() {
  return httpError('conflict', 'A payment of the subscription is being processed: try again when it is done.');
}
