import { type FontName, fontData, fontFor, hasGlyph } from './fonts.ts';
import { visualRuns } from './visual-runs.ts';
import { wrapText } from './wrap-text.ts';

type Canvas = PDFKit.PDFDocument;

/** The style of a text; sizes are in points. */
export interface TextStyle {
  size: number;
  isBold?: boolean;
  color?: string;
}

/** A piece of text in one font. */
interface Run {
  font: FontName;
  text: string;
}

/** Draws cleaned text (clean-text.ts) onto the pages of a PDF, each character in a font that has it. */
export class TextPen {
  readonly #canvas: Canvas;
  readonly #registered = new Set<FontName>();

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  /** The width of one line, in points. */
  width(line: string, style: TextStyle): number {
    return this.#runsOf(line, style).reduce((sum, run) => sum + this.#widthOfRun(run, style), 0);
  }

  /** Breaks a text into lines of at most this width; text beyond the last line is replaced with an ellipsis. */
  wrap(text: string, style: TextStyle, width: number, mostLines: number): string[] {
    const lines = wrapText(text, width, (part) => this.width(part, style));
    const last = lines[mostLines - 1];
    return last === undefined || lines.length === mostLines
      ? lines
      : [
          ...lines.slice(0, mostLines - 1),
          `${last
            .slice(0, -1)
            .toWellFormed()
            .replace(/\ufffd$/, '')}…`,
        ];
  }

  /** Draws one line with its baseline at `y`: from `x` to the right. */
  put(line: string, x: number, y: number, style: TextStyle): void {
    let at = x;
    for (const run of this.#runsOf(line, style)) {
      this.#choose(run.font, style);
      this.#canvas.fillColor(style.color ?? INK).text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' });
      at += this.#widthOfRun(run, style);
    }
  }

  /** Draws one line that ends at `right`, in a smaller size if it would be wider than `width`. */
  putEndingAt(line: string, right: number, y: number, style: TextStyle, width = Number.POSITIVE_INFINITY): void {
    const natural = this.width(line, style);
    const size = natural > width ? (style.size * width) / natural : style.size;
    const fitted = { ...style, size };
    this.put(line, right - this.width(line, fitted), y, fitted);
  }

  /** From left to right, as drawn. */
  #runsOf(line: string, { isBold = false }: TextStyle): Run[] {
    return visualRuns(line).flatMap(({ text, isRightToLeft }) => {
      const runs = splitByFont(text, isBold);
      return isRightToLeft ? runs.reverse() : runs;
    });
  }

  #widthOfRun({ font, text }: Run, style: TextStyle): number {
    this.#choose(font, style);
    return this.#canvas.widthOfString(text, { lineBreak: false });
  }

  #choose(font: FontName, { size }: TextStyle): void {
    if (!this.#registered.has(font)) {
      this.#canvas.registerFont(font, fontData(font));
      this.#registered.add(font);
    }
    this.#canvas.font(font).fontSize(size);
  }
}

/** The color of everything that is not gray. */
const INK = '#1a1c20';

function splitByFont(text: string, isBold: boolean): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    // A combining mark stays with its letter.
    const isMark = /\p{M}|\u200c/u.test(character) && last !== undefined && hasGlyph(last.font, codePoint);
    const font = isMark ? last.font : (fontFor(codePoint, isBold) ?? 'regular');
    if (last?.font === font) {
      last.text += character;
    } else {
      runs.push({ font, text: character });
    }
  }
  return runs;
}
