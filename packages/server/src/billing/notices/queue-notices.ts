import type { BillingTools } from '../billing-tools.ts';
import type { QueueNotices } from '../ledger/ledger-notice.ts';
import type { Lateness, PaymentState } from '../ledger/payment-state.ts';
import { queuePaymentFailed, queueReceipt } from './invoice-mails.ts';
import { queueLatePaymentMails, queueMailOfDeleted } from './late-payment-mails.ts';
import { Payer } from './payer.ts';

type NoticeTools = Pick<BillingTools, 'mailer' | 'baseUrl' | 'settings' | 'log' | 'latePayments'>;

/** Queues the mails of notices, then logs and counts late payments, again if the transaction is retried. */
export function createNoticeQueue(tools: NoticeTools): QueueNotices {
  return async (tx, account, notices) => {
    const payer = new Payer(account);
    for (const notice of notices) {
      switch (notice.kind) {
        case 'invoice_paid':
          await queueReceipt(tx, tools, payer, notice.invoice);
          break;
        case 'payment_failed':
          await queuePaymentFailed(tx, tools, payer, notice.invoice, notice.charge);
          break;
        case 'late_payment':
          await queueLatePaymentMails(tx, tools, payer, notice.late);
      }
    }
    for (const notice of notices) {
      if (notice.kind === 'late_payment') {
        raiseAlarm(tools, notice.late.payment, notice.late.lateness);
      }
    }
  };
}

/** Reports a payment by a deleted organization. There is no one to credit, so finance must refund it. */
export async function reportPaymentOfDeleted(
  tools: NoticeTools & Pick<BillingTools, 'database'>,
  payment: PaymentState,
): Promise<void> {
  await queueMailOfDeleted(tools.database, tools, payment);
  raiseAlarm(tools, payment, 'organization_deleted');
}

function raiseAlarm(
  { log, latePayments }: NoticeTools,
  payment: PaymentState,
  lateness: Lateness | 'organization_deleted',
): void {
  const { id, organizationId, subscriptionId, providerRef, amount, currency } = payment;
  latePayments.count(lateness);
  log.error(
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
