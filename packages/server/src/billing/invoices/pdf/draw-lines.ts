import { formatAmount } from '../../money/format-money.ts';
import { cleanLine } from './clean-text.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { drawRule, GREY, PAGE, type Sheet } from './page.ts';

/** Draws the lines, over as many pages as they take, each with the heads of the columns. Answers how far down it came. */
export function drawLines(sheet: Sheet, { lines, currency }: InvoiceDocument, top: number): number {
  const { pen } = sheet;
  let y = drawHeads(sheet, currency, top);
  for (const line of lines) {
    const description = pen.wrap(cleanLine(line.description), TEXT, DESCRIPTION_WIDTH, 6);
    const height = Math.max(1, description.length) * LEADING + ROW_GAP;
    if (y + height > PAGE.bottom) {
      sheet.canvas.addPage();
      y = drawHeads(sheet, currency, PAGE.top);
    }
    description.forEach((text, at) => {
      pen.put(text, PAGE.left, y + BASELINE + at * LEADING, TEXT);
    });
    pen.putEndingAt(formatAmount(line.quantity, 'jpy'), QUANTITY.right, y + BASELINE, TEXT, QUANTITY.width);
    pen.putEndingAt(formatAmount(line.unitAmount, currency), UNIT_PRICE.right, y + BASELINE, TEXT, UNIT_PRICE.width);
    pen.putEndingAt(formatAmount(line.amount, currency), AMOUNT.right, y + BASELINE, TEXT, AMOUNT.width);
    y += height;
    drawRule(sheet, y);
  }
  return y;
}

const TEXT = { size: 9 };
const HEAD = { size: 8, color: GREY };
const LEADING = 12;
const ROW_GAP = 10;
/** From the top of a row to the baseline of its first line. */
const BASELINE = 14;

const DESCRIPTION_WIDTH = 236;
const QUANTITY = { right: 338, width: 40 };
const UNIT_PRICE = { right: 436, width: 92 };
const AMOUNT = { right: PAGE.right, width: 96 };

function drawHeads(sheet: Sheet, currency: string, top: number): number {
  const { pen } = sheet;
  const code = cleanLine(currency.toUpperCase());
  pen.put('Description', PAGE.left, top, HEAD);
  pen.putEndingAt('Quantity', QUANTITY.right, top, HEAD);
  pen.putEndingAt(`Unit price (${code})`, UNIT_PRICE.right, top, HEAD, UNIT_PRICE.width);
  pen.putEndingAt(`Amount (${code})`, AMOUNT.right, top, HEAD, AMOUNT.width);
  drawRule(sheet, top + 7);
  return top + 7;
}
