import { inflateSync } from 'node:zlib';

/** The text of one of our PDFs. */
export interface PdfText {
  /** The text of each page, one line per write. */
  pages: string[];
  /** The objects as they appear in the file, without streams. */
  objects: string[];
}

/**
 * Reads the text of a PDF back through the tables that programs use to search and copy, which say what the glyphs mean.
 * Sufficient for files that pdfkit writes, and for no others.
 */
export function readPdf(file: Buffer): PdfText {
  const objects = readObjects(file);
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  return {
    pages: pages.map(({ head }) => {
      const resources = objects.get(referenceOf(head, 'Resources'))?.head ?? '';
      const fonts = new Map(
        Array.from(resources.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id]) => {
          const font = objects.get(Number(id))?.head ?? '';
          return [name, readMeanings(objects.get(referenceOf(font, 'ToUnicode'))?.stream ?? '')] as const;
        }),
      );
      return textOf(objects.get(referenceOf(head, 'Contents'))?.stream ?? '', fonts);
    }),
    objects: [...objects.values()].map(({ head }) => head),
  };
}

interface PdfObject {
  head: string;
  stream: string;
}

function readObjects(file: Buffer): Map<number, PdfObject> {
  const objects = new Map<number, PdfObject>();
  const text = file.toString('latin1');
  for (const { 1: id, index } of text.matchAll(/^(\d+) 0 obj$/gm)) {
    const end = text.indexOf('\nendobj', index);
    const begins = text.indexOf('stream\n', index);
    const hasStream = begins !== -1 && begins < end;
    const head = text.slice(index, hasStream ? begins : end);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const bytes = file.subarray(begins + 7, begins + 7 + length);
    const stream = !hasStream ? '' : (head.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
    objects.set(Number(id), { head, stream });
  }
  return objects;
}

function referenceOf(head: string, name: string): number {
  return Number(new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? -1);
}

/** What each glyph means, by its number. */
function readMeanings(cmap: string): string[] {
  const meanings: string[] = [];
  for (const [, first = '', , list = ''] of cmap.matchAll(/<(\w{4})> <(\w{4})> \[(.*?)\]/g)) {
    Array.from(list.matchAll(/<([\w ]*)>/g)).forEach(([, units = ''], at) => {
      const codes = units.split(' ').map((unit) => Number.parseInt(unit, 16));
      meanings[Number.parseInt(first, 16) + at] = String.fromCharCode(...codes);
    });
  }
  return meanings;
}

function textOf(content: string, fonts: ReadonlyMap<string, string[]>): string {
  let meanings: string[] = [];
  const written: string[] = [];
  for (const [, font, glyphs] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    meanings = font === undefined ? meanings : (fonts.get(font) ?? []);
    if (glyphs !== undefined) {
      const numbers = Array.from(glyphs.matchAll(/<(\w+)>/g), ([, hex = '']) => hex.match(/\w{4}/g) ?? []).flat();
      written.push(numbers.map((hex) => meanings[Number.parseInt(hex, 16)] ?? '\ufffd').join(''));
    }
  }
  return written.join('\n');
}
