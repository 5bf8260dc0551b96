import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Books } from '../books/books.ts';
import { PAYMENT_CREDITED } from '../events.ts';
import { queueLateMoneyNotices, queueNoticeOfDeleted } from './late-money-mails.ts';
import type { Lateness, PaymentState } from './payment-state.ts';

/**
 * Books a payment that succeeded too late as credit, and tells everybody: the customer and finance by mail, programs by an
 * event, and operators by the log and a metric. Answers the payment as it is then.
 */
export async function creditLateMoney(books: Books, payment: PaymentState, lateness: Lateness): Promise<PaymentState> {
  const { amount, currency, subscriptionId, id: paymentId } = payment;
  // It paid no invoice, so it names none: a later payment may still pay the one that it was meant for.
  const settled: PaymentState = {
    ...payment,
    invoiceId: null,
    status: 'succeeded',
    declineCode: null,
    settledAtMs: books.nowMs,
    nextCheckAtMs: null,
  };
  books.payments.set(paymentId, settled);
  await books.changeCredit({ currency, amount, reason: 'late_payment', subscriptionId, invoiceId: null, paymentId });
  const invoice = payment.invoiceId === null ? undefined : await books.invoice(payment.invoiceId);
  const balance = await books.credit(currency);
  books.events.push(() =>
    announcement(PAYMENT_CREDITED, {
      payment_id: paymentId,
      subscription_id: subscriptionId,
      invoice_id: invoice?.id ?? null,
      amount,
      currency,
      reason: lateness,
      credit_balance: balance,
      created_at: isoTime(books.nowMs),
    }),
  );
  const late = { payment: settled, lateness, invoiceNumber: invoice?.number ?? null, balance };
  books.mails.push((tx) => queueLateMoneyNotices(books.tools, tx, books.payer, late));
  books.alarms.push(() => raiseAlarm(books.tools, settled, lateness));
  return settled;
}

/** The organization was deleted, so there is nobody to credit: finance must refund the money. */
export async function reportMoneyOfDeleted(tools: BillingTools, payment: PaymentState): Promise<void> {
  await queueNoticeOfDeleted(tools, tools.database, payment);
  raiseAlarm(tools, payment, 'organization_deleted');
}

function raiseAlarm(tools: BillingTools, payment: PaymentState, lateness: Lateness | 'organization_deleted'): void {
  const { id, organizationId, subscriptionId, providerRef, amount, currency } = payment;
  tools.lateMoney.count(lateness);
  tools.log.error(
    {
      payment: id,
      organization: organizationId,
      subscription: subscriptionId,
      provider_ref: providerRef,
      amount,
      currency,
      lateness,
    },
    lateness === 'organization_deleted'
      ? 'a payment succeeded too late; its organization was deleted'
      : 'a payment succeeded too late; the money became credit',
  );
}
