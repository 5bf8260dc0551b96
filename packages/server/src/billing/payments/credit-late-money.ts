import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { PAYMENT_CREDITED } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Lateness, PaymentState } from '../ledger/payment-state.ts';
import { queueLateMoneyNotices, queueNoticeOfDeleted } from './late-money-mails.ts';

/**
 * Books a payment that succeeded too late, or whose record was lost, as credit, and announces it: to the customer and
 * finance by mail, to programs by an event, and to operators by the log and a metric. Returns the payment as it is
 * then.
 */
export async function creditLateMoney(
  ledger: Ledger,
  payment: PaymentState,
  lateness: Lateness,
): Promise<PaymentState> {
  const { amount, currency, subscriptionId, id: paymentId } = payment;
  // It paid no invoice, so it names none: a later payment may still pay the one that it was meant for.
  const settled: PaymentState = {
    ...payment,
    invoiceId: null,
    status: 'succeeded',
    declineCode: null,
    settledAtMs: ledger.nowMs,
    nextCheckAtMs: null,
  };
  ledger.payments.set(paymentId, settled);
  await ledger.changeCredit({ currency, amount, reason: 'late_payment', subscriptionId, invoiceId: null, paymentId });
  const invoice = payment.invoiceId === null ? undefined : await ledger.invoice(payment.invoiceId);
  const balance = await ledger.credit(currency);
  ledger.events.push(() =>
    announcement(PAYMENT_CREDITED, {
      payment_id: paymentId,
      subscription_id: subscriptionId,
      invoice_id: invoice?.id ?? null,
      amount,
      currency,
      reason: lateness,
      credit_balance: balance,
      created_at: isoTime(ledger.nowMs),
    }),
  );
  const late = { payment: settled, lateness, invoiceNumber: invoice?.number ?? null, balance };
  ledger.mails.push((tx) => queueLateMoneyNotices(ledger.tools, tx, ledger.payer, late));
  ledger.alarms.push(() => raiseAlarm(ledger.tools, settled, lateness));
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
    ALARMS[lateness],
  );
}

const CREDITED = 'a payment succeeded too late; the money became credit';
const ALARMS = {
  ended: CREDITED,
  booked_as_failed: CREDITED,
  lost_record: 'a payment was found whose record was lost, and another amount is due; the money became credit',
  organization_deleted: 'a payment succeeded too late; its organization was deleted',
} as const;
