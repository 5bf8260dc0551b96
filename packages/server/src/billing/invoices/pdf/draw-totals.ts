import { formatMoney } from '../../money/amounts.ts';
import { cleanLine } from './clean-text.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { addPage, drawRule, GREY, PAGE, type Sheet } from './page.ts';
import { paymentOf } from './words.ts';

/** Draws the totals and how the invoice was paid, all on one page. */
export function drawTotals(sheet: Sheet, document: InvoiceDocument, top: number): void {
  const { pen, structure } = sheet;
  const sums = sumsOf(document);
  const payment = pen.wrap(cleanLine(paymentOf(document) ?? ''), PAYMENT, PAGE.right - PAGE.left, 4);
  const height = 14 + sums.length * LEADING + (payment.length === 0 ? 0 : 24 + payment.length * 13);
  let y = top + 14;
  if (top + height > PAGE.bottom) {
    addPage(sheet);
    y = PAGE.top;
  }
  structure.group('Table', () => {
    for (const sum of sums) {
      y += LEADING;
      drawSum(sheet, document.currency, sum, y);
    }
  });
  y += 24;
  if (payment.length > 0) {
    structure.leaf('P', () => {
      payment.forEach((line, at) => {
        pen.put(line, PAGE.left, y + 13 * (at + 1), PAYMENT);
      });
    });
  }
}

function drawSum(sheet: Sheet, currency: string, { label, amount, isBold }: Sum, y: number): void {
  const { pen, structure } = sheet;
  structure.group('TR', () => {
    structure.leaf('TH', () => {
      const [line = ''] = pen.wrap(cleanLine(label), isBold ? BOLD : PLAIN, LABEL_WIDTH, 1);
      pen.put(line, LABELS_LEFT, y, isBold ? BOLD : PLAIN);
    });
    structure.leaf('TD', () =>
      pen.putEndingAt(formatMoney(amount, currency), PAGE.right, y, isBold ? BOLD : SUM, SUM_WIDTH),
    );
  });
  if (isBold) {
    drawRule(sheet, y - 12, LABELS_LEFT);
  }
}

const LABELS_LEFT = 254;
const LABEL_WIDTH = 180;
const SUM_WIDTH = 104;
const LEADING = 18;
const PLAIN = { size: 9, color: GREY };
const SUM = { size: 9 };
const BOLD = { size: 10, isBold: true };
const PAYMENT = { size: 9 };

interface Sum {
  label: string;
  amount: number;
  isBold?: boolean;
}

/** From the subtotal down to the balance due: each amount follows from those above it. */
function sumsOf(document: InvoiceDocument): Sum[] {
  const { subtotal, discount, couponCode, taxLines, total, credit, amountDue, amountPaid, status, currency } = document;
  const coupon = couponCode === '' ? '' : ` (${couponCode})`;
  const taxes = taxLines.map(({ name, percent, taxable, amount }) => ({
    label: `${name} ${percent}% on ${formatMoney(taxable, currency)}`,
    amount,
  }));
  const balance = status === 'void' ? 0 : amountDue - amountPaid;
  return [
    { label: 'Subtotal', amount: subtotal },
    ...(discount === 0 ? [] : [{ label: `Discount${coupon}`, amount: -discount }]),
    ...taxes,
    { label: 'Total', amount: total, isBold: true },
    ...(credit === 0 ? [] : [{ label: 'Credit applied', amount: -credit }]),
    { label: 'Amount due', amount: amountDue, isBold: credit !== 0 },
    ...(amountPaid === 0 ? [] : [{ label: 'Amount paid', amount: -amountPaid }]),
    { label: 'Balance due', amount: balance, isBold: true },
  ];
}
