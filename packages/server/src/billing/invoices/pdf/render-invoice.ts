import PDFDocument from 'pdfkit';
import { formatMoney } from '../../money/amounts.ts';
import { cleanLine } from './clean-text.ts';
import { drawFooters } from './draw-footers.ts';
import { drawHeading } from './draw-heading.ts';
import { drawLines } from './draw-lines.ts';
import { drawTotals } from './draw-totals.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { addPage, PAGE } from './page.ts';
import { Structure } from './structure.ts';
import { TextPen } from './text-pen.ts';

/**
 * The PDF of an invoice. The same document gives the same bytes in every process: nothing in it depends on a clock,
 * randomness or the machine, and the file's identifier is derived from its content.
 */
export function renderInvoice(document: InvoiceDocument): Promise<Buffer> {
  const canvas = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    // The fonts are chosen by the text; an empty name keeps the library from loading its default font.
    font: '',
    // Tags for screen readers, which require at least PDF 1.5.
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    info: informationOf(document),
  });
  const portions: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    canvas.on('data', (portion: Buffer) => portions.push(portion));
    canvas.on('end', () => resolve(Buffer.concat(portions)));
    canvas.on('error', reject);
  });
  const structure = new Structure(canvas);
  const sheet = { canvas, pen: new TextPen(canvas), structure, watermark: document.watermark };
  addPage(sheet);
  const afterHeading = drawHeading(sheet, document);
  const afterLines = drawLines(sheet, document, afterHeading);
  drawTotals(sheet, document, afterLines);
  drawFooters(sheet, document);
  canvas.end();
  return finished;
}

function informationOf({ number, seller, buyer, amountDue, currency, issuedAtMs }: InvoiceDocument) {
  const issued = new Date(issuedAtMs);
  return {
    Title: cleanLine(`Invoice ${number}`),
    Author: cleanLine(seller.name),
    Subject: cleanLine(`${formatMoney(amountDue, currency)} for ${buyer.name}`),
    Creator: 'Seathold',
    Producer: 'Seathold',
    // When it was issued, not when it was rendered.
    CreationDate: issued,
    ModDate: issued,
  };
}
