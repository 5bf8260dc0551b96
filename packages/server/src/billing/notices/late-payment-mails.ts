import type { Queries } from '../../database/index.ts';
import { type MailContent, type MailRow, namedInMail } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { LatePayment } from '../ledger/ledger-notice.ts';
import type { Lateness, PaymentState } from '../ledger/payment-state.ts';
import { formatMoney } from '../money/amounts.ts';
import { type Payer, queueToPayer } from './payer.ts';

/** Queues the mails about a late payment: to those who pay for the organization, and to the vendor's finance team. */
export async function queueLatePaymentMails(
  tx: Queries,
  { mailer, settings }: Pick<BillingTools, 'mailer' | 'settings'>,
  payer: Payer,
  late: LatePayment,
): Promise<void> {
  await queueToPayer(tx, { mailer }, payer, { kind: 'late-payment', content: customerMail(payer, late) });
  await queueToFinance(tx, { mailer, settings }, financeMail(payer, late));
}

/** Queues the mail about a payment by a deleted organization, which only finance can refund. */
export async function queueMailOfDeleted(
  tx: Queries,
  tools: Pick<BillingTools, 'mailer' | 'settings'>,
  payment: PaymentState,
): Promise<void> {
  const sum = formatMoney(payment.amount, payment.currency);
  await queueToFinance(tx, tools, {
    subject: `Action required: ${sum} received for a deleted organization`,
    paragraphs: [
      `A payment of ${sum} succeeded after the organization ${payment.organizationId} was deleted.`,
      'The amount was not credited to anyone. Please refund it at the payment provider.',
    ],
    table: namesOf(payment),
  });
}

async function queueToFinance(
  tx: Queries,
  { mailer, settings }: Pick<BillingTools, 'mailer' | 'settings'>,
  content: MailContent,
): Promise<void> {
  if (settings.financeEmail !== undefined) {
    await mailer.queue(tx, { kind: 'late-payment-finance', recipient: settings.financeEmail.address, content });
  }
}

function customerMail(payer: Payer, { payment, lateness, invoiceNumber, balance }: LatePayment): MailContent {
  const { amount, currency } = payment;
  const sum = formatMoney(amount, currency);
  const payerName = namedInMail(payer.organizationName);
  const invoice = invoiceNumber === null ? '' : ` It was for invoice ${invoiceNumber}.`;
  const credit = formatMoney(balance, currency);
  return {
    subject: `Your payment of ${sum} was added to your credit`,
    paragraphs: [
      `${CUSTOMER_REASONS[lateness](sum, payerName)}${invoice}`,
      lateness === 'lost_record'
        ? `It does not match the amount now due, so we added it to your credit balance, which was then ${credit}. We apply this credit to the amount due and charge only the rest.`
        : `We added it to your credit balance, which is now ${credit}. We apply this credit to your next invoices before we charge you.`,
      'If you would prefer a refund, please contact us.',
    ],
  };
}

/** The reasons in the mail to the customer. */
const CUSTOMER_REASONS: Readonly<Record<Lateness, (sum: string, payer: string) => string>> = {
  ended: (sum, payer) => `We received a payment of ${sum} from ${payer} after its subscription or invoice was closed.`,
  booked_as_failed: (sum, payer) =>
    `We received a payment of ${sum} from ${payer} that we had already recorded as failed.`,
  lost_record: (sum, payer) =>
    `We received a payment of ${sum} from ${payer}. We lost our record of it in an outage and have now recovered it from our payment provider.`,
};

function financeMail(payer: Payer, { payment, lateness, invoiceNumber }: LatePayment): MailContent {
  const sum = formatMoney(payment.amount, payment.currency);
  const { subject, happened } = FINANCE_REASONS[lateness];
  return {
    subject: subject(sum),
    paragraphs: [
      `A payment of ${sum} by ${namedInMail(payer.organizationName)} ${happened}`,
      "The amount was added to the organization's credit, and we notified the customer. Please ask whether they want a refund.",
    ],
    table: [...namesOf(payment), { label: 'Invoice', value: invoiceNumber ?? 'none' }],
  };
}

const lateSubject = (sum: string) => `A late payment of ${sum} was added to credit`;
const FINANCE_REASONS: Readonly<Record<Lateness, { subject(sum: string): string; happened: string }>> = {
  ended: { subject: lateSubject, happened: 'succeeded too late. Its subscription or invoice was already closed.' },
  booked_as_failed: {
    subject: lateSubject,
    happened: 'succeeded too late. It was recorded as failed, but the payment provider collected it anyway.',
  },
  lost_record: {
    subject: (sum) => `A payment of ${sum} without a record was added to credit`,
    happened:
      'was collected by the payment provider but is missing from this database, for example after a restored backup or a failover. A different amount is now due, so the payment does not pay the invoice. The credit is applied first, and only the rest is charged.',
  },
};

/** Its identifiers here and at the provider. */
function namesOf({ id, provider, providerRef, organizationId, subscriptionId }: PaymentState): MailRow[] {
  return [
    { label: 'Organization', value: organizationId },
    { label: 'Subscription', value: subscriptionId },
    { label: 'Payment', value: id },
    { label: `Payment at ${provider}`, value: providerRef ?? 'none' },
  ];
}
