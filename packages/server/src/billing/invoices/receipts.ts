import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type MailContent, namedInMail } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { formatMoney } from '../money/format-money.ts';
import { referenceTo } from './attach-invoice.ts';
import { cardName } from './card-name.ts';
import type { Payer } from './payer.ts';
import { presentInvoice } from './present-invoice.ts';
import { type InvoiceRow, totalOf } from './read-queries.ts';

type ReceiptTools = Pick<BillingTools, 'mailer' | 'baseUrl'>;

/** Why a charge failed, and when the next one is; null when there is none before another card comes. */
export interface FailedCharge {
  declineCode: string;
  /** ISO 8601. */
  nextAttemptAt: string | null;
  /** Whether another card would still pay it. */
  canBePaid: boolean;
}

/**
 * Queues the receipt of an invoice, in the transaction that writes it as paid. Nothing for an invoice of nothing: no money
 * moved. At most ten an hour reach one address, as with every mail, so that nobody can flood a stranger's mailbox.
 */
export async function queueReceipt(tools: ReceiptTools, tx: Queries, payer: Payer, invoice: InvoiceRow): Promise<void> {
  if (invoice.amount_paid > 0) {
    await queueToPayer(tools, tx, payer, 'receipt', receiptOf(tools, payer, invoice));
  }
}

/** Queues the notice that a charge of an invoice was declined, in the transaction that writes so. */
export async function queuePaymentFailed(
  tools: ReceiptTools,
  tx: Queries,
  payer: Payer,
  invoice: InvoiceRow,
  charge: FailedCharge,
): Promise<void> {
  await queueToPayer(tools, tx, payer, 'payment-failed', failureOf(payer, invoice, charge));
}

async function queueToPayer(
  { mailer }: ReceiptTools,
  tx: Queries,
  payer: Payer,
  kind: string,
  content: MailContent,
): Promise<void> {
  for (const recipient of await payer.recipientsOf(tx, kind)) {
    if (!(await mailer.queue(tx, { kind, recipient, content }))) {
      payer.noteEnough(kind, recipient);
    }
  }
}

function receiptOf({ baseUrl }: ReceiptTools, payer: Payer, invoice: InvoiceRow): MailContent {
  const { pdf_url: pdfUrl } = presentInvoice(invoice, baseUrl);
  const { number, amount_paid: paid, currency, paid_with: card } = invoice;
  const paidWith = card === null ? '' : ` with ${cardName(card)}`;
  const paidOn = dayOf(invoice.paid_at ?? invoice.created_at);
  return {
    subject: `Receipt for invoice ${number}`,
    paragraphs: [
      `Thank you. Invoice ${number} for ${namedInMail(payer.organizationName)} was paid: ${formatMoney(paid, currency)} on ${paidOn}${paidWith}.`,
      ...linesOf(invoice),
      ...sumsOf(invoice),
      `Amount paid: ${formatMoney(paid, currency)}`,
      // Not as a link: without a token it answers nothing but a refusal.
      `The invoice is attached as a PDF. Programs can download it from ${pdfUrl} with an API token that can read invoices.`,
    ],
    attachment: referenceTo(invoice),
  };
}

function failureOf(
  payer: Payer,
  invoice: InvoiceRow,
  { declineCode, nextAttemptAt, canBePaid }: FailedCharge,
): MailContent {
  const hopeless = canBePaid
    ? 'This card will not be tried again. Please set another default payment method: it is charged at once.'
    : 'It will not be tried again.';
  const next =
    nextAttemptAt === null
      ? hopeless
      : `It will be tried again on ${nextAttemptAt.slice(0, 10)}. To pay at once, set another default payment method.`;
  return {
    subject: `Payment of invoice ${invoice.number} failed`,
    paragraphs: [
      `The payment of invoice ${invoice.number} of ${namedInMail(payer.organizationName)} was declined: ${dueOf(invoice)} is due. Reason: ${declineCode}.`,
      next,
      ...linesOf(invoice),
      ...sumsOf(invoice),
    ],
  };
}

/** As many as a mail can hold without being a burden; the PDF has them all. */
function linesOf({ lines, currency }: InvoiceRow): string[] {
  const shown = lines.slice(0, MOST_LINES).map(({ description, quantity, unit_amount: unitAmount, amount }) => {
    const sum = quantity === 1 ? '' : `${quantity} × ${formatMoney(unitAmount, currency)} = `;
    return `${description}: ${sum}${formatMoney(amount, currency)}`;
  });
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `And ${more} more lines, which the PDF has.`];
}

const MOST_LINES = 50;

/** The totals below the lines, from the subtotal to the amount due, without zero amounts. */
function sumsOf(invoice: InvoiceRow): string[] {
  const { currency, subtotal, discount, coupon_code: coupon, tax_lines: taxes, credit_applied: credit } = invoice;
  const money = (amount: number) => formatMoney(amount, currency);
  const total = totalOf(invoice);
  return [
    ...(total === subtotal ? [] : [`Subtotal: ${money(subtotal)}`]),
    ...(discount === 0 ? [] : [`Discount${coupon === null ? '' : ` (${coupon})`}: ${money(-discount)}`]),
    ...taxes.map(({ name, percent, amount }) => `${name} ${percent}%: ${money(amount)}`),
    `Total: ${money(total)}`,
    ...(credit === 0 ? [] : [`Credit applied: ${money(-credit)}`]),
    `Amount due: ${dueOf(invoice)}`,
  ];
}

function dueOf({ amount_due: amount, currency }: InvoiceRow): string {
  return formatMoney(amount, currency);
}

function dayOf(time: Date): string {
  return isoTime(time.getTime()).slice(0, 10);
}
