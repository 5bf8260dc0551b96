/** The characters that a font file has a glyph for. */
export interface Coverage {
  has(codePoint: number): boolean;
}

/**
 * Reads the characters of an OpenType font from its "cmap" table (formats 4 and 12, which Unicode fonts use), so that a
 * large font is not opened if it lacks a character. Throws for other files.
 */
export function parseCoverage(font: Buffer): Coverage {
  const cmap = findTable(font, 'cmap');
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, at) => {
    const start = cmap + font.readUInt32BE(cmap + 8 + at * 8);
    return { start, format: font.readUInt16BE(start) };
  });
  const whole = subtables.find(({ format }) => format === 12);
  const basic = subtables.find(({ format }) => format === 4);
  if (whole === undefined && basic === undefined) {
    throw new Error('the font has no Unicode table');
  }
  const codePoints = new Set<number>();
  for (const [first, last, glyphOf] of whole ? groupsOf(font, whole.start) : segmentsOf(font, basic?.start ?? 0)) {
    for (let codePoint = first; codePoint <= last; codePoint += 1) {
      if (glyphOf(codePoint) !== 0) {
        codePoints.add(codePoint);
      }
    }
  }
  return codePoints;
}

type Range = readonly [first: number, last: number, glyphOf: (codePoint: number) => number];

function findTable(font: Buffer, tag: string): number {
  for (let at = 12; at < 12 + 16 * font.readUInt16BE(4); at += 16) {
    if (font.toString('latin1', at, at + 4) === tag) {
      return font.readUInt32BE(at + 8);
    }
  }
  throw new Error(`the font has no table ${tag}`);
}

function groupsOf(font: Buffer, start: number): Range[] {
  return Array.from({ length: font.readUInt32BE(start + 12) }, (_, group) => {
    const at = start + 16 + group * 12;
    const [first, glyph] = [font.readUInt32BE(at), font.readUInt32BE(at + 8)];
    return [first, font.readUInt32BE(at + 4), (codePoint) => glyph + codePoint - first];
  });
}

function segmentsOf(font: Buffer, start: number): Range[] {
  const doubled = font.readUInt16BE(start + 6);
  const lasts = start + 14;
  const firsts = lasts + doubled + 2;
  return Array.from({ length: doubled / 2 }, (_, segment) => {
    const at = firsts + segment * 2;
    const first = font.readUInt16BE(at);
    const delta = font.readUInt16BE(at + doubled);
    const offsetAt = at + 2 * doubled;
    const offset = font.readUInt16BE(offsetAt);
    const glyphOf = (codePoint: number) => {
      if (offset === 0) {
        return (codePoint + delta) & 0xffff;
      }
      const glyphAt = offsetAt + offset + (codePoint - first) * 2;
      return glyphAt + 2 > font.length ? 0 : font.readUInt16BE(glyphAt);
    };
    return [first, font.readUInt16BE(lasts + segment * 2), glyphOf];
  });
}
