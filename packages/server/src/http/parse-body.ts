import { isUtf8 } from 'node:buffer';
import { invalidRequest } from './errors.ts';

/** Deeper JSON is refused: PostgreSQL gives up at some thousand levels, and no honest body needs more. */
const MAX_DEPTH = 32;

/**
 * Parses a JSON body and refuses what would break further down: invalid UTF-8, nesting past MAX_DEPTH, strings or keys
 * with a NUL or a lone surrogate, which PostgreSQL cannot store, and numbers that are infinite once read.
 */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw invalidRequest('', 'malformed', 'The body is not valid UTF-8.');
  }
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest('', 'malformed', 'The body is not valid JSON.');
  }
  // Only a text with an escape, a brace inside a brace or a raw control character can hide any of it; most bodies do not.
  if (text.includes('\\u') || text.lastIndexOf('{') > 0 || text.includes('[')) {
    checkValue(body, '', 1);
  }
  return body;
}

/** As validate.ts cuts them: the answer need not repeat a key of 200 KiB. */
const MAX_FIELD = 200;

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    checkText(value, path);
  } else if (typeof value === 'number') {
    checkNumber(value, path);
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_DEPTH) {
      throw invalidRequest('', 'malformed', `The body is nested more than ${MAX_DEPTH} levels deep.`);
    }
    for (const [key, child] of Object.entries(value)) {
      checkText(key, path);
      checkValue(child, (path === '' ? key : `${path}.${key}`).slice(0, MAX_FIELD), depth + 1);
    }
  }
}

/** 1e400 is read as Infinity, which JSON cannot write: it would be kept as null. */
function checkNumber(value: number, path: string): void {
  if (!Number.isFinite(value)) {
    throw invalidRequest(path.toWellFormed(), 'max', 'A number does not fit in a 64-bit float.');
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalidRequest(path.toWellFormed(), 'format', 'Text must not contain NUL characters or lone surrogates.');
  }
}
