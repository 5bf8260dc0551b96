import { InvalidArgumentError } from 'commander';

/**
 * A feature on the command line: `name` for true, or `name=value`, in which true, false and numbers keep their type and
 * anything else is text. A value in double quotes is always text.
 */
export function parseFeature(text: string): readonly [string, boolean | number | string] {
  const mark = text.indexOf('=');
  const name = mark === -1 ? text : text.slice(0, mark);
  if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name)) {
    throw new InvalidArgumentError(
      `Invalid feature name ${JSON.stringify(name)}: use 1 to 64 letters, digits, or . _ -, beginning with a letter.`,
    );
  }
  const value = mark === -1 ? true : parseFeatureValue(text.slice(mark + 1));
  if (typeof value === 'string' && value.length > MAX_TEXT) {
    throw new InvalidArgumentError(`The value of ${name} must be at most ${MAX_TEXT} characters.`);
  }
  return [name, value];
}

const MAX_TEXT = 255;

/** True, false and numbers keep their type, and anything else is text; in double quotes always. */
export function parseFeatureValue(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') {
    return text === 'true';
  }
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) {
    return Number(text);
  }
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
