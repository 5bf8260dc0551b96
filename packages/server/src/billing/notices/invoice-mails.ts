import type { Queries } from '../../database/index.ts';
import { type AttachmentReference, type MailContent, type MailRow, namedInMail } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { type InvoiceRow, presentInvoice, totalOf } from '../ledger/invoice-queries.ts';
import type { FailedCharge } from '../ledger/ledger-notice.ts';
import { formatMoney } from '../money/amounts.ts';
import { cardName } from '../payment-methods/card-name.ts';
import { reasonOf } from './decline-reasons.ts';
import { type Payer, queueToPayer } from './payer.ts';

type ReceiptTools = Pick<BillingTools, 'mailer' | 'baseUrl'>;

/**
 * Queues the receipt of an invoice, in the transaction that marks it as paid. An invoice of zero gets none, because no
 * money moved. As with every mail, at most ten per hour go to one address, so that no one can flood a stranger's
 * mailbox.
 */
export async function queueReceipt(tx: Queries, tools: ReceiptTools, payer: Payer, invoice: InvoiceRow): Promise<void> {
  if (invoice.amount_paid > 0) {
    await queueToPayer(tx, tools, payer, { kind: 'receipt', content: receiptOf(tools, payer, invoice) });
  }
}

/** Queues the notice that a charge of an invoice was declined, in the transaction that records it. */
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
      'Thank you for your payment.',
      `${namedInMail(payer.organizationName)} paid ${formatMoney(paid, currency)} for invoice ${number} on ${paidOn}${paidWith}.`,
    ],
    table: [
      ...linesOf(invoice),
      ...sumsOf(invoice),
      { label: 'Amount paid', value: formatMoney(paid, currency), isTotal: true },
    ],
    // Not as a link: without a token, the request is refused.
    closing: `You can download it from ${pdfUrl} with an API token that can read invoices.`,
    attachment: referenceTo(invoice),
  };
}

function failureOf(
  payer: Payer,
  invoice: InvoiceRow,
  { declineCode, nextAttemptAt, canBePaid }: FailedCharge,
): MailContent {
  const hopeless = canBePaid
    ? 'We will not charge this card again. Please set a different default payment method, and we will charge it immediately.'
    : 'We will not retry this payment.';
  const next =
    nextAttemptAt === null
      ? hopeless
      : `We will retry the payment on ${dayOf(new Date(nextAttemptAt))}. To pay now, set a different default payment method.`;
  return {
    subject: `Your payment for invoice ${invoice.number} failed`,
    paragraphs: [
      `The payment of ${dueOf(invoice)} for invoice ${invoice.number} of ${namedInMail(payer.organizationName)} was declined. ${reasonOf(declineCode)}`,
      next,
    ],
    table: [...linesOf(invoice), ...sumsOf(invoice)],
  };
}

/** As many lines as fit into a readable mail; the PDF has them all. */
function linesOf({ lines, currency }: InvoiceRow): MailRow[] {
  const shown = lines.slice(0, MOST_LINES).map(({ description, quantity, unit_amount: unitAmount, amount }) => ({
    label: description,
    ...(quantity === 1 ? {} : { note: `${quantity} × ${formatMoney(unitAmount, currency)}` }),
    value: formatMoney(amount, currency),
  }));
  const others = lines.slice(MOST_LINES);
  if (others.length === 0) {
    return shown;
  }
  const sum = others.reduce((total, { amount }) => total + amount, 0);
  const note = 'The PDF of the invoice lists all of them.';
  return [...shown, { label: `${others.length} more lines`, note, value: formatMoney(sum, currency) }];
}

const MOST_LINES = 50;

/** The totals below the lines, from the subtotal to the amount due, without zero amounts. */
function sumsOf(invoice: InvoiceRow): MailRow[] {
  const { currency, subtotal, discount, coupon_code: coupon, tax_lines: taxes, credit_applied: credit } = invoice;
  const money = (amount: number) => formatMoney(amount, currency);
  const total = totalOf(invoice);
  return [
    ...(total === subtotal ? [] : [{ label: 'Subtotal', value: money(subtotal) }]),
    ...(discount === 0 ? [] : [{ label: `Discount${coupon === null ? '' : ` (${coupon})`}`, value: money(-discount) }]),
    ...taxes.map(({ name, percent, amount }) => ({ label: `${name} ${percent}%`, value: money(amount) })),
    { label: 'Total', value: money(total) },
    ...(credit === 0 ? [] : [{ label: 'Credit applied', value: money(-credit) }]),
    { label: 'Amount due', value: dueOf(invoice), isTotal: true },
  ];
}

function dueOf({ amount_due: amount, currency }: InvoiceRow): string {
  return formatMoney(amount, currency);
}

/** For example February 10, 2026, in UTC. */
function dayOf(time: Date): string {
  return DAY.format(time);
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * A mail stores only a reference to the invoice that it attaches. The PDF is loaded or rendered when the mail is sent.
 */
function referenceTo({ organization_id, id }: InvoiceRow): AttachmentReference {
  return { kind: 'invoice', organization_id, id };
}
