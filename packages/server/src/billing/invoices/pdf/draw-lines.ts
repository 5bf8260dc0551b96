import { formatAmount } from '../../money/amounts.ts';
import { cleanLine } from './clean-text.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { addPage, drawRule, GREY, PAGE, type Sheet } from './page.ts';

/**
 * Draws the lines over as many pages as needed, each with column headings. Returns the bottom position on the last
 * page.
 */
export function drawLines(sheet: Sheet, { lines, currency }: InvoiceDocument, top: number): number {
  let y = top;
  sheet.structure.group('Table', () => {
    y = drawHeads(sheet, currency, top);
    for (const line of lines) {
      const description = sheet.pen.wrap(cleanLine(line.description), TEXT, DESCRIPTION_WIDTH, 6);
      const height = Math.max(1, description.length) * LEADING + ROW_GAP;
      if (y + height > PAGE.bottom) {
        addPage(sheet);
        sheet.structure.artifact('Pagination', () => putHeads(sheet, currency, PAGE.top, (_type, put) => put()));
        y = afterHeads(sheet, PAGE.top);
      }
      drawLine(sheet, currency, line, description, y);
      y += height;
      drawRule(sheet, y);
    }
  });
  return y;
}

function drawLine(
  { pen, structure }: Sheet,
  currency: string,
  line: InvoiceDocument['lines'][number],
  description: readonly string[],
  y: number,
): void {
  const cell = (text: string, { right, width }: typeof QUANTITY) =>
    structure.leaf('TD', () => pen.putEndingAt(text, right, y + BASELINE, TEXT, width));
  structure.group('TR', () => {
    structure.leaf(
      'TD',
      () => {
        description.forEach((text, at) => {
          pen.put(text, PAGE.left, y + BASELINE + at * LEADING, TEXT);
        });
      },
      description.join(' '),
    );
    cell(formatAmount(line.quantity, 'jpy'), QUANTITY);
    cell(formatAmount(line.unitAmount, currency), UNIT_PRICE);
    cell(formatAmount(line.amount, currency), AMOUNT);
  });
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
const AMOUNT = { right: 539.28, width: 96 };

function drawHeads(sheet: Sheet, currency: string, top: number): number {
  const { structure } = sheet;
  structure.group('TR', () => putHeads(sheet, currency, top, (type, put) => structure.leaf(type, put)));
  return afterHeads(sheet, top);
}

function putHeads({ pen }: Sheet, currency: string, top: number, cell: (type: 'TH', put: () => void) => void): void {
  const code = cleanLine(currency.toUpperCase());
  cell('TH', () => pen.put('Description', PAGE.left, top, HEAD));
  cell('TH', () => pen.putEndingAt('Quantity', QUANTITY.right, top, HEAD));
  cell('TH', () => pen.putEndingAt(`Unit price (${code})`, UNIT_PRICE.right, top, HEAD, UNIT_PRICE.width));
  cell('TH', () => pen.putEndingAt(`Amount (${code})`, AMOUNT.right, top, HEAD, AMOUNT.width));
}

function afterHeads(sheet: Sheet, top: number): number {
  drawRule(sheet, top + 7);
  return top + 7;
}
