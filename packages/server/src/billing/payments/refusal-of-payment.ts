import { type ApiError, httpError } from '../../http/index.ts';
import { paymentFailed } from '../errors.ts';
import type { PaymentState } from './payment-state.ts';
import type { CollectOutcome } from './settle-payment.ts';

/**
 * What the client is told of a payment that came to nothing; undefined when it did not. The settled payment decides, since
 * somebody else may have settled it meanwhile.
 */
export function refusalOfPayment(outcome: CollectOutcome, settled: PaymentState | undefined): ApiError | undefined {
  if (settled?.status === 'declined') {
    return paymentFailed(settled.declineCode ?? 'generic_decline');
  }
  if (settled?.status === 'succeeded' && settled.invoiceId === null) {
    return httpError('conflict', 'The payment succeeded too late. The amount was added to your credit.');
  }
  if (settled?.status !== 'canceled') {
    return undefined;
  }
  return outcome.kind === 'unreachable'
    ? httpError('service_unavailable', 'The payment provider gives no answer; nothing was charged. Try again.', {
        headers: { 'retry-after': '5' },
      })
    : httpError('conflict', 'The payment was given up meanwhile; nothing was charged.');
}
