import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type AttachmentReference, type MailContent, namedInMail } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { type InvoiceRow, presentInvoice, totalOf } from '../ledger/invoice-queries.ts';
import type { FailedCharge } from '../ledger/ledger-notice.ts';
import { formatMoney } from '../money/amounts.ts';
import { cardName } from '../payment-methods/card-name.ts';
import { type Payer, queueToPayer } from './payer.ts';

type ReceiptTools = Pick<BillingTools, 'mailer' | 'baseUrl'>;

/**
 * Queues the receipt of an invoice, in the transaction that writes it as paid. Nothing for an invoice of nothing: no money
 * moved. At most ten an hour reach one address, as with every mail, so that nobody can flood a stranger's mailbox.
 */
export async function queueReceipt(tx: Queries, tools: ReceiptTools, payer: Payer, invoice: InvoiceRow): Promise<void> {
  if (invoice.amount_paid > 0) {
    await queueToPayer(tx, tools, payer, { kind: 'receipt', content: receiptOf(tools, payer, invoice) });
  }
}

/** Queues the notice that a charge of an invoice was declined, in the transaction that writes so. */
export async function queuePaymentFailed(
  tx: Queries,
  tools: ReceiptTools,
  payer: Payer,
  invoice: InvoiceRow,
  charge: FailedCharge,
): Promise<void> {
  await queueToPayer(tx, tools, payer, { kind: 'payment-failed', content: failureOf(payer, invoice, charge) });
}

function receiptOf({ baseUrl }: ReceiptTools, payer: Payer, invoice: InvoiceRow): MailContent {
  const { pdf_url: pdfUrl } = presentInvoice(invoice, baseUrl);
  const { number, amount_paid: paid, currency, paid_with: card } = invoice;
  const paidWith = card === null ? '' : ` with ${cardName(card)}`;
  const paidOn = dayOf(invoice.paid_at ?? invoice.created_at);
  return {
    subject: `Receipt for invoice ${number}`,
    paragraphs: [
      `Thank you for your payment. Paid ${formatMoney(paid, currency)} for invoice ${number} of ${namedInMail(payer.organizationName)} on ${paidOn}${paidWith}.`,
      ...linesOf(invoice),
      ...sumsOf(invoice),
      `Amount paid: ${formatMoney(paid, currency)}`,
      // Not as a link: without a token it answers nothing but a refusal.
      `The invoice is attached as a PDF. You can also download it from ${pdfUrl} with an API token that can read invoices.`,
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
    ? 'We will not retry this card. Please set a different default payment method. We will charge it immediately.'
    : 'We will not retry this payment.';
  const next =
    nextAttemptAt === null
      ? hopeless
      : `We will retry the payment on ${nextAttemptAt.slice(0, 10)}. To pay now, set a different default payment method.`;
  return {
    subject: `Your payment for invoice ${invoice.number} failed`,
    paragraphs: [
      `The payment of ${dueOf(invoice)} for invoice ${invoice.number} of ${namedInMail(payer.organizationName)} was declined. Reason: ${declineCode}.`,
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
  return more === 0 ? shown : [...shown, `And ${more} more lines. The PDF of the invoice lists all of them.`];
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

/**
 * What a mail stores of the invoice that it attaches: only its name. The PDF is made, or found, when the mail is sent.
 */
function referenceTo({ organization_id, id }: InvoiceRow): AttachmentReference {
  return { kind: 'invoice', organization_id, id };
}
