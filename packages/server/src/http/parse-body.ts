import { isUtf8 } from 'node:buffer';
import { invalidRequest } from './errors.ts';

/** Deeper JSON is refused: PostgreSQL fails at several thousand levels, and no legitimate body needs more. */
const MAX_DEPTH = 32;

/**
 * Parses a JSON body and refuses input that would fail later: invalid UTF-8, nesting past MAX_DEPTH, strings or keys
 * with a NUL or a lone surrogate, which PostgreSQL cannot store, and numbers that parse as infinite.
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
  // Only a text with an escape, a brace inside a brace or a raw control character can contain any of these; most bodies
  // do not.
  if (text.includes('\\u') || text.lastIndexOf('{') > 0 || text.includes('[')) {
    checkValue(body, '', 1);
  }
  return body;
}

/** Truncated as in validate.ts, so that the response does not repeat a key of 200 KiB. */
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

/** 1e400 parses as Infinity, which JSON cannot represent: it would be stored as null. */
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
