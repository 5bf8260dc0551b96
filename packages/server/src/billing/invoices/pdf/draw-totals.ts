import { formatMoney } from '../../money/format-money.ts';
import { cleanLine } from './clean-text.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { drawRule, GREY, PAGE, type Sheet } from './page.ts';
import { paymentOf } from './words.ts';

/** Draws what the lines come to and how it was paid, all on one page. */
export function drawTotals(sheet: Sheet, document: InvoiceDocument, top: number): void {
  const { pen } = sheet;
  const sums = sumsOf(document);
  const payment = pen.wrap(cleanLine(paymentOf(document) ?? ''), PAYMENT, PAGE.right - PAGE.left, 4);
  const height = 14 + sums.length * LEADING + (payment.length === 0 ? 0 : 24 + payment.length * 13);
  let y = top + 14;
  if (top + height > PAGE.bottom) {
    sheet.canvas.addPage();
    y = PAGE.top;
  }
  for (const { label, amount, isBold } of sums) {
    y += LEADING;
    pen.put(label, LABELS_LEFT, y, isBold ? BOLD : PLAIN);
    pen.putEndingAt(formatMoney(amount, document.currency), PAGE.right, y, isBold ? BOLD : SUM, SUM_WIDTH);
    if (isBold) {
      drawRule(sheet, y - 12, LABELS_LEFT);
    }
  }
  y += 24;
  for (const line of payment) {
    y += 13;
    pen.put(line, PAGE.left, y, PAYMENT);
  }
}

const LABELS_LEFT = 338;
const SUM_WIDTH = 130;
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

function sumsOf({ subtotal, discount, credit, total, amountPaid, status }: InvoiceDocument): Sum[] {
  const sums: Sum[] = [
    { label: 'Subtotal', amount: subtotal },
    ...(discount === 0 ? [] : [{ label: 'Discount', amount: -discount }]),
    ...(credit === 0 ? [] : [{ label: 'Credit', amount: -credit }]),
    { label: 'Total', amount: total, isBold: true },
    { label: 'Paid', amount: amountPaid },
  ];
  const due = status === 'void' ? 0 : total - amountPaid;
  return [...sums, { label: 'Amount due', amount: due, isBold: true }];
}
