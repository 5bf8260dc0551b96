import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Coverage, parseCoverage } from './parse-coverage.ts';

/** The fonts used in invoices. The two large ones have only one weight. */
export type FontName = 'regular' | 'bold' | 'chinese' | 'korean';

/** An invoice needs the East Asian fonts, whose optional package is not installed. */
export class FontsMissing extends Error {
  override readonly name = 'FontsMissing';

  constructor(cause?: unknown) {
    super(
      'invoices with Chinese, Japanese or Korean characters need more fonts: install them with `npm install @seathold/fonts-cjk`',
      { cause },
    );
  }
}

const resolve = createRequire(import.meta.url).resolve;

const FILES: Readonly<Record<FontName, () => string>> = {
  regular: () => resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: () => resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  // Their packages do not export paths, so the folder is located from their entry file.
  chinese: () => resolveEastAsian('@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'),
  korean: () => resolveEastAsian('@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'),
};

/** Whether names in Chinese, Japanese and Korean can be rendered. */
export function hasEastAsianFonts(): boolean {
  try {
    return existsSync(FILES.chinese()) && existsSync(FILES.korean());
  } catch {
    return false;
  }
}

/** They are dependencies of our optional package, so they are resolved from there. Throws FontsMissing. */
function resolveEastAsian(name: string, file: string): string {
  let fonts: NodeJS.Require;
  try {
    fonts = createRequire(resolve('@seathold/fonts-cjk/package.json'));
  } catch (error) {
    throw new FontsMissing(error);
  }
  return join(dirname(dirname(fonts.resolve(name))), 'fonts', file);
}

const opened = new Map<FontName, { data: Buffer; coverage: Coverage }>();

/** The bytes of a font, read when first needed: the large ones are 8 and 5 MB. */
export function fontData(name: FontName): Buffer {
  return open(name).data;
}

/** The font for a character: the first in `ORDER` that has it; undefined if there is none. */
export function fontFor(codePoint: number, isBold: boolean): FontName | undefined {
  const order = isOfEastAsia(codePoint) ? EAST_ASIAN : [];
  return [...(isBold ? BOLD_FIRST : REGULAR), ...order].find((name) => hasGlyph(name, codePoint));
}

/** Whether a font has a character. */
export function hasGlyph(name: FontName, codePoint: number): boolean {
  return open(name).coverage.has(codePoint);
}

/** DejaVu Sans Bold has fewer characters than the regular font, which is used for the rest. */
const BOLD_FIRST: readonly FontName[] = ['bold', 'regular'];
const REGULAR: readonly FontName[] = ['regular'];
const EAST_ASIAN: readonly FontName[] = ['chinese', 'korean'];

/** Hangul jamo; from the radicals to the syllables of Hangul; compatibility and full-width forms; the planes of ideographs. */
function isOfEastAsia(codePoint: number): boolean {
  return (
    (codePoint >= 0x1100 && codePoint <= 0x11ff) ||
    (codePoint >= 0x2e80 && codePoint <= 0xa4cf) ||
    (codePoint >= 0xa960 && codePoint <= 0xa97f) ||
    (codePoint >= 0xac00 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xfe30 && codePoint <= 0xfe4f) ||
    (codePoint >= 0xff00 && codePoint <= 0xffef) ||
    (codePoint >= 0x20000 && codePoint <= 0x3ffff)
  );
}

function open(name: FontName): { data: Buffer; coverage: Coverage } {
  let font = opened.get(name);
  if (font === undefined) {
    const data = readFileSync(FILES[name]());
    font = { data, coverage: parseCoverage(data) };
    opened.set(name, font);
  }
  return font;
}
