import { cleanLine, cleanLines } from './clean-text.ts';
import type { InvoiceDocument, InvoiceParty } from './invoice-document.ts';
import { GREY, PAGE, type Sheet } from './page.ts';
import { dayOf, statusOf, summaryOf } from './words.ts';

/** Draws the heading above the lines: title, seller, buyer and amount. Returns its bottom position on the page. */
export function drawHeading(sheet: Sheet, document: InvoiceDocument): number {
  const { pen, structure } = sheet;
  structure.leaf('H1', () => pen.put('Invoice', PAGE.left, PAGE.top + 14, { size: 26, isBold: true }));
  const seller = cleanLine(document.seller.name);
  // The same name appears below "From".
  structure.artifact('Layout', () => {
    pen.wrap(seller, SELLER, SELLER_WIDTH, 2).forEach((line, at) => {
      pen.putEndingAt(line, PAGE.right, PAGE.top + 14 + at * 16, SELLER);
    });
  });
  const afterFacts = drawFacts(sheet, document, PAGE.top + 48);
  const top = afterFacts + 20;
  const afterParties = Math.max(
    drawParty(sheet, 'From', document.seller, PAGE.left, top),
    drawParty(sheet, 'Bill to', document.buyer, PAGE.left + COLUMN_WIDTH + COLUMN_GAP, top),
  );
  const summary = cleanLine(summaryOf(document));
  structure.leaf('H2', () => pen.put(summary, PAGE.left, afterParties + 30, { size: 15, isBold: true }));
  return afterParties + 58;
}

const SELLER = { size: 12, isBold: true, color: GREY };
const SELLER_WIDTH = 300;
const COLUMN_GAP = 24;
const COLUMN_WIDTH = (PAGE.right - PAGE.left - COLUMN_GAP) / 2;
const NAME = { size: 10, isBold: true };
const TEXT = { size: 9 };
const LABEL = { size: 9, color: GREY };
const LEADING = 13;
/** As many as leave room for the lines of the invoice; no real address has more. */
const MOST_ADDRESS_LINES = 14;

function drawFacts({ pen, structure }: Sheet, document: InvoiceDocument, top: number): number {
  const facts = [
    ['Invoice number', cleanLine(document.number)],
    ['Date of issue', dayOf(document.issuedAtMs)],
    ['Billing period', `${dayOf(document.periodStartMs)} – ${dayOf(document.periodEndMs)}`],
    ['Status', statusOf(document)],
  ] as const;
  facts.forEach(([label, value], at) => {
    structure.leaf('P', () => {
      // The space is for screen readers.
      pen.put(`${label} `, PAGE.left, top + at * 15, LABEL);
      pen.put(value, PAGE.left + 96, top + at * 15, { ...TEXT, isBold: at === 0 });
    });
  });
  return top + facts.length * 15;
}

function drawParty(sheet: Sheet, label: string, party: InvoiceParty, x: number, top: number): number {
  const { pen, structure } = sheet;
  const details = detailsOf(sheet, party);
  let y = top;
  const put = (line: string, style: typeof TEXT, leading: number) => {
    structure.leaf('P', () => pen.put(line, x, y, style), line);
    y += leading;
  };
  structure.group('Sect', () => {
    put(label, LABEL, 17);
    for (const line of pen.wrap(cleanLine(party.name), NAME, COLUMN_WIDTH, 8)) {
      put(line, NAME, 14);
    }
    for (const line of details) {
      put(line, TEXT, LEADING);
    }
  });
  return y - LEADING;
}

function detailsOf({ pen }: Sheet, party: InvoiceParty): string[] {
  const wrapped = (value: string, before: string) =>
    value === '' ? [] : pen.wrap(cleanLine(`${before}${value}`), TEXT, COLUMN_WIDTH, 3);
  return [
    ...cleanLines(party.address)
      .flatMap((line) => pen.wrap(line, TEXT, COLUMN_WIDTH, 4))
      .slice(0, MOST_ADDRESS_LINES),
    ...wrapped(party.taxId, 'Tax ID '),
    ...wrapped(party.email, ''),
  ];
}
