import type { Structure } from './structure.ts';
import type { TextPen } from './text-pen.ts';

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 56, right: 539.28, top: 72, bottom: 772 } as const;

/** The drawing surface. */
export interface Sheet {
  canvas: PDFKit.PDFDocument;
  pen: TextPen;
  structure: Structure;
  /** A watermark across every page, such as TEST in the sandbox; empty for none. */
  watermark: string;
}

export const GREY = '#5c6370';
const HAIRLINE = '#c9cdd4';
const WATERMARK = { size: 190, isBold: true, color: '#e9ecf0' };

/** Begins a page. Anything drawn on it later is on top of the watermark. */
export function addPage({ canvas, pen, structure, watermark }: Sheet): void {
  canvas.addPage();
  if (watermark !== '') {
    structure.artifact('Pagination', () => {
      const [x, y] = [PAGE.width / 2, PAGE.height / 2];
      canvas.save().rotate(-52, { origin: [x, y] });
      pen.put(watermark, x - pen.width(watermark, WATERMARK) / 2, y + WATERMARK.size * 0.36, WATERMARK);
      canvas.restore();
    });
  }
}

/** A thin line across the page, or from `left`. */
export function drawRule({ canvas, structure }: Sheet, y: number, left: number = PAGE.left): void {
  structure.artifact('Layout', () => {
    canvas.moveTo(left, y).lineTo(PAGE.right, y).lineWidth(0.75).strokeColor(HAIRLINE).stroke();
  });
}
