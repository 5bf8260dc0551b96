/** A pattern with its meaning in words, and in a form that every language's engine supports. */
interface TextPattern {
  pattern: string;
  /** After the name of the field. */
  message: string;
  /**
   * Python and Go do not support Unicode classes. This also accepts text that begins with an invisible formatting
   * character.
   */
  portable: string;
}

// Unassigned characters count as visible: newer versions of Unicode give them a shape.
const LINE: TextPattern = {
  pattern: String.raw`^\p{Z}*[^\p{Cc}\p{Cf}\p{Z}]\P{Cc}*$`,
  message: 'must contain a visible character, and no control characters',
  portable: String.raw`^[^\S\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`,
};
const LINES: TextPattern = {
  pattern: String.raw`^[\p{Z}\n]*[^\p{Cc}\p{Cf}\p{Z}](?:\P{Cc}|[\r\n])*$`,
  message: 'must contain a visible character, and no control characters except line breaks',
  portable: String.raw`^(?:\n|[^\S\x00-\x1f\x7f-\x9f])*[^\s\x00-\x1f\x7f-\x9f](?:[^\x00-\x1f\x7f-\x9f]|[\r\n])*$`,
};

/** One line that people read, such as a name. */
export const VISIBLE_LINE = LINE.pattern;

/** The same, on several lines. */
export const VISIBLE_LINES = LINES.pattern;

/** Any text that a request may contain, for the document: parse-body.ts refuses the rest, regardless of the schema. */
export const WITHOUT_NUL = String.raw`^[^\x00]*$`;

/** By pattern. */
export const TEXT_PATTERNS: ReadonlyMap<string, TextPattern> = new Map(
  [LINE, LINES].map((each) => [each.pattern, each]),
);
