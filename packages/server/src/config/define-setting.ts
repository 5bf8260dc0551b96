import type { Parse } from './parsers.ts';

/** One setting: its environment variable, description, default as text (null: none), and parser. */
export interface Setting<T> {
  name: string;
  description: string;
  default: string | null;
  /** Whether `seathold config` hides the value. */
  secret?: boolean;
  parse: Parse<T>;
}

/** A setting with a default, as text. */
export function define<T>(name: string, description: string, defaultText: string, parse: Parse<T>): Setting<T> {
  return { name, description, default: defaultText, parse };
}

/** A setting without a default. */
export function optional<T>(name: string, description: string, parse: Parse<T>): Setting<T | undefined> {
  return { name, description, default: null, parse };
}

/** The same for a value that `seathold config` hides. */
export function optionalSecret<T>(name: string, description: string, parse: Parse<T>): Setting<T | undefined> {
  return { name, description, default: null, secret: true, parse };
}
