import { httpError } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { findPaymentByRef } from '../ledger/payment-queries.ts';
import { settleByRef } from '../payments/check-payments.ts';
import { recordUnknownCharge } from './record-unknown-charge.ts';

/**
 * Handles a payment named by the provider. A known one is settled. The rows of an unknown one may have been lost by
 * restoring a backup: it is looked up and, if it collected money, adopted or kept for finance. Throws
 * service_unavailable if the provider does not answer, so that it sends the event again.
 */
export async function receivePayment(tools: BillingTools, providerName: 'stripe', paymentRef: string): Promise<void> {
  const { provider } = tools;
  const known = await findPaymentByRef(tools.database, { provider: providerName, ref: paymentRef });
  if (known !== undefined || provider?.name !== providerName) {
    await settleByRef(tools, providerName, paymentRef);
    return;
  }
  const described = await provider.describeCharge({ paymentRef, nowMs: tools.clock.nowMs() });
  if (described.kind === 'unknown') {
    throw httpError('service_unavailable', 'The payment provider did not answer.', {
      headers: { 'retry-after': '5' },
    });
  }
  if (described.kind === 'found' && described.charge.status === 'succeeded') {
    await recordUnknownCharge(tools, providerName, described.charge);
  }
}
