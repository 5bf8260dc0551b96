import type { Queries } from '../../database/index.ts';
import { type MailContent, namedInMail } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Payer } from '../invoices/payer.ts';
import { formatMoney } from '../money/format-money.ts';
import type { Lateness, PaymentState } from './payment-state.ts';

/** A payment that succeeded too late, and the organization's credit including it. */
export interface LateMoney {
  payment: PaymentState;
  lateness: Lateness;
  /** The number of the invoice that it was for, if there is one. */
  invoiceNumber: string | null;
  /** The organization's credit in the payment's currency, in minor units. */
  balance: number;
}

/** Queues the mails about money that came too late: to those who pay for the organization, and to the vendor's finance. */
export async function queueLateMoneyNotices(
  { mailer, settings }: Pick<BillingTools, 'mailer' | 'settings'>,
  tx: Queries,
  payer: Payer,
  late: LateMoney,
): Promise<void> {
  for (const recipient of await payer.recipientsOf(tx, CUSTOMER_KIND)) {
    if (!(await mailer.queue(tx, { kind: CUSTOMER_KIND, recipient, content: customerNotice(payer, late) }))) {
      payer.noteEnough(CUSTOMER_KIND, recipient);
    }
  }
  await queueToFinance({ mailer, settings }, tx, financeNotice(payer, late));
}

/** Queues the mail about money for a deleted organization, which only finance can refund. */
export async function queueNoticeOfDeleted(
  tools: Pick<BillingTools, 'mailer' | 'settings'>,
  tx: Queries,
  payment: PaymentState,
): Promise<void> {
  const sum = formatMoney(payment.amount, payment.currency);
  await queueToFinance(tools, tx, {
    subject: `Action required: ${sum} received for a deleted organization`,
    paragraphs: [
      `A payment of ${sum} succeeded after the organization ${payment.organizationId} was deleted.`,
      'The amount was not credited to anyone. Please refund it at the payment provider.',
      namesOf(payment),
    ],
  });
}

async function queueToFinance(
  { mailer, settings }: Pick<BillingTools, 'mailer' | 'settings'>,
  tx: Queries,
  content: MailContent,
): Promise<void> {
  if (settings.financeEmail !== undefined) {
    await mailer.queue(tx, { kind: 'late-payment-finance', recipient: settings.financeEmail.address, content });
  }
}

const CUSTOMER_KIND = 'late-payment';

function customerNotice(payer: Payer, late: LateMoney): MailContent {
  const { amount, currency } = late.payment;
  const sum = formatMoney(amount, currency);
  const invoice = late.invoiceNumber === null ? '' : ` It was for invoice ${late.invoiceNumber}.`;
  return {
    subject: `Your payment of ${sum} was added to your credit`,
    paragraphs: [
      `We received a payment of ${sum} from ${namedInMail(payer.organizationName)} ${customerReason(late)}.${invoice}`,
      `We added it to your credit balance, which is now ${formatMoney(late.balance, currency)}. We apply this credit to your next invoices before we charge you.`,
      'If you would prefer a refund, please contact us.',
    ],
  };
}

function customerReason({ lateness }: LateMoney): string {
  return lateness === 'ended'
    ? 'after its subscription or invoice was closed'
    : 'that we had already recorded as failed';
}

function financeNotice(payer: Payer, late: LateMoney): MailContent {
  const { payment, lateness, invoiceNumber } = late;
  const { organizationId, amount, currency } = payment;
  const sum = formatMoney(amount, currency);
  const reason =
    lateness === 'ended'
      ? 'Its subscription or invoice was already closed.'
      : 'It was recorded as failed, but the payment provider collected it anyway.';
  return {
    subject: `A late payment of ${sum} was added to credit`,
    paragraphs: [
      `A payment of ${sum} by ${namedInMail(payer.organizationName)} (${organizationId}) succeeded too late. ${reason}`,
      "The amount was added to the organization's credit, and we notified the customer. Please ask whether they want a refund.",
      `${namesOf(payment)} Invoice ${invoiceNumber ?? 'none'}.`,
    ],
  };
}

/** Its identifiers here and at the provider. */
function namesOf({ id, provider, providerRef, subscriptionId }: PaymentState): string {
  return `Payment ${id}, ${providerRef ?? 'no reference'} at ${provider}. Subscription ${subscriptionId}.`;
}
