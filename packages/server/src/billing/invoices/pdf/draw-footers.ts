import { cleanLine } from './clean-text.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { drawRule, GREY, PAGE, type Sheet } from './page.ts';
import { summaryOf } from './words.ts';

/** Draws the footer of each page, when the number of pages is known. */
export function drawFooters(sheet: Sheet, document: InvoiceDocument): void {
  const { canvas, pen, structure, watermark } = sheet;
  const test = watermark === '' ? '' : ` · ${watermark}`;
  const { start, count } = canvas.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    canvas.switchToPage(start + page);
    drawRule(sheet, PAGE.height - 50);
    structure.artifact('Pagination', () => {
      pen.put(cleanLine(`${document.number} · ${summaryOf(document)}${test}`), PAGE.left, PAGE.height - 36, FOOT);
      pen.putEndingAt(`Page ${page + 1} of ${count}`, PAGE.right, PAGE.height - 36, FOOT);
    });
  }
}

const FOOT = { size: 8, color: GREY };
