import type { TextPen } from './text-pen.ts';

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 56, right: 539.28, top: 72, bottom: 772 } as const;

/** What is drawn upon. */
export interface Sheet {
  canvas: PDFKit.PDFDocument;
  pen: TextPen;
}

export const GREY = '#5c6370';
const HAIRLINE = '#c9cdd4';

/** A thin line across the page, or from `left`. */
export function drawRule({ canvas }: Sheet, y: number, left: number = PAGE.left): void {
  canvas.moveTo(left, y).lineTo(PAGE.right, y).lineWidth(0.75).strokeColor(HAIRLINE).stroke();
}
