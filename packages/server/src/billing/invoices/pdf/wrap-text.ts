/**
 * Breaks a cleaned text into lines of at most `width`: at spaces and between ideographs, and a word that is longer than
 * a line anywhere. `measure` returns the width of a piece.
 */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of piecesOf(text, width, measure)) {
    const isSpace = piece.text === ' ';
    if (used + piece.width > width && !isSpace) {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    if (line !== '' || !isSpace) {
      line += piece.text;
      used += piece.width;
    }
  }
  return [...lines, line.trimEnd()].filter((each) => each !== '');
}

interface Piece {
  text: string;
  width: number;
}

const IDEOGRAPHS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const PIECES = new RegExp(` |[${IDEOGRAPHS}]\\p{M}*|(?:(?![${IDEOGRAPHS}])[^ ])+`, 'gu');

/** The unbreakable pieces, in the order of the text. */
function piecesOf(text: string, width: number, measure: (text: string) => number): Piece[] {
  const widths = new Map<string, number>();
  const measured = (part: string): Piece => {
    const known = widths.get(part) ?? measure(part);
    widths.set(part, known);
    return { text: part, width: known };
  };
  return (text.match(PIECES) ?? []).flatMap((part) => {
    const whole = measured(part);
    return whole.width <= width ? [whole] : (part.match(CLUSTERS) ?? []).map(measured);
  });
}

/** A character and its combining marks. */
const CLUSTERS = /\P{M}\p{M}*|\p{M}+/gu;
