import type { Queries } from '../../database/index.ts';
import { type MailContent, namedInMail } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Payer } from '../invoices/payer.ts';
import { formatMoney } from '../money/format-money.ts';
import type { Lateness, PaymentState } from './payment-state.ts';

/** A payment that succeeded too late or whose record was lost, and what is left of the organization's credit with it. */
export interface LateMoney {
  payment: PaymentState;
  lateness: Lateness;
  /** Of the invoice that it was meant for, where there is one. */
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

/** Queues the mail about money of an organization that is deleted: nobody but finance can do anything about it. */
export async function queueNoticeOfDeleted(
  tools: Pick<BillingTools, 'mailer' | 'settings'>,
  tx: Queries,
  payment: PaymentState,
): Promise<void> {
  const sum = formatMoney(payment.amount, payment.currency);
  await queueToFinance(tools, tx, {
    subject: `A payment of ${sum} came for a deleted organization`,
    paragraphs: [
      `A payment of ${sum} succeeded after its organization, ${payment.organizationId}, had been deleted.`,
      'Nothing was credited. Please refund it at the payment provider.',
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

function customerNotice(payer: Payer, { payment, lateness, invoiceNumber, balance }: LateMoney): MailContent {
  const { amount, currency } = payment;
  const sum = formatMoney(amount, currency);
  const payerName = namedInMail(payer.organizationName);
  const invoice = invoiceNumber === null ? '' : ` It was meant for invoice ${invoiceNumber}.`;
  const credit = formatMoney(balance, currency);
  return {
    subject: `Your payment of ${sum} was added to your credit`,
    paragraphs: [
      `${CUSTOMER_REASONS[lateness](sum, payerName)}${invoice}`,
      lateness === 'lost_record'
        ? `The amount differs from what is due now, so we added the money to your credit, which was ${credit} then. Your credit pays what is due first; only the rest is charged, and what is left stays for your next invoices.`
        : `We added the money to your credit, which is now ${credit}. Your next invoices use it before anything is charged.`,
      'If you would rather have it back, please contact us.',
    ],
  };
}

/** What happened, in the words of the mail to the customer. */
const CUSTOMER_REASONS: Readonly<Record<Lateness, (sum: string, payer: string) => string>> = {
  ended: (sum, payer) =>
    `We received a payment of ${sum} from ${payer} after the subscription or invoice that it was for had been closed.`,
  booked_as_failed: (sum, payer) =>
    `We received a payment of ${sum} from ${payer} that we had already recorded as failed.`,
  lost_record: (sum, payer) =>
    `We received a payment of ${sum} from ${payer}, lost our record of it in an outage, and have found it again at our payment provider.`,
};

function financeNotice(payer: Payer, { payment, lateness, invoiceNumber }: LateMoney): MailContent {
  const { organizationId, amount, currency } = payment;
  const sum = formatMoney(amount, currency);
  const { subject, happened } = FINANCE_REASONS[lateness];
  return {
    subject: subject(sum),
    paragraphs: [
      `A payment of ${sum} by ${namedInMail(payer.organizationName)} (${organizationId}) ${happened}`,
      'The money is kept as credit of the organization, and the customer was told. Check whether they want it back.',
      `${namesOf(payment)} Invoice ${invoiceNumber ?? 'none'}.`,
    ],
  };
}

const isLate = (sum: string) => `A late payment of ${sum} became credit`;
const FINANCE_REASONS: Readonly<Record<Lateness, { subject(sum: string): string; happened: string }>> = {
  ended: { subject: isLate, happened: 'succeeded too late. What it was for had ended when the money came.' },
  booked_as_failed: {
    subject: isLate,
    happened: 'succeeded too late. It had been recorded as failed, and the payment provider collected it all the same.',
  },
  lost_record: {
    subject: (sum) => `A payment of ${sum} whose record was lost became credit`,
    happened:
      'was collected by the payment provider and is missing in this database, as after a restored backup or a failover. Another amount is due now, so it does not pay the invoice: what is due uses the credit, and only the rest is charged.',
  },
};

/** By which it is found here and at the provider. */
function namesOf({ id, provider, providerRef, subscriptionId }: PaymentState): string {
  return `Payment ${id}, ${providerRef ?? 'no reference'} at ${provider}. Subscription ${subscriptionId}.`;
}
