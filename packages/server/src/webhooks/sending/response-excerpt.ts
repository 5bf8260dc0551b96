import { isUtf8 } from 'node:buffer';

/** How much of an answer is kept. */
export const EXCERPT_BYTES = 4_096;

/**
 * The start of an answer as text that a database takes and a page shows: what is no UTF-8 becomes U+FFFD, NUL too, and
 * neither the cut of the input nor that of the output leaves half a character.
 */
export function toExcerpt(body: Buffer): string {
  if (body.length < EXCERPT_BYTES && body[0] !== BYTE_ORDER_MARK && isUtf8(body) && !body.includes(0)) {
    // What almost every receiver answers, at a tenth of the price.
    return body.toString();
  }
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES), { stream: true }).replaceAll('\0', '\u{fffd}');
  // Replacements take three bytes for one, so the text may have outgrown what it was read from.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(EXCERPT_BYTES));
  return text.slice(0, read);
}

/** The first byte of one. A decoder drops it. */
const BYTE_ORDER_MARK = 0xef;
