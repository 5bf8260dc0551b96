import { activatingAlias } from '../licenses/key-aliases.ts';
import { normalizeLicenseKey } from '../licenses/license-key.ts';

/**
 * The license key or alias that an activation is counted under, read from an unchecked body: an attempt counts even if
 * the body is otherwise invalid. Undefined if it has none that could be valid; then only the address counts.
 */
export function countedKey(rawBody: Buffer | undefined): string | undefined {
  const { license_key: typed } = parseLeniently(rawBody);
  const key = typeof typed === 'string' && typed.length <= MAX_UTF16_UNITS ? keyOf(typed) : undefined;
  return key === undefined ? undefined : `license-key:${key}`;
}

/** The schema refuses more than 128 code points, each of at most two UTF-16 units. */
const MAX_UTF16_UNITS = 256;

function keyOf(typed: string): string | undefined {
  return normalizeLicenseKey(typed) ?? activatingAlias(typed);
}

function parseLeniently(rawBody: Buffer | undefined): { license_key?: unknown } {
  try {
    return Object(JSON.parse(rawBody?.toString() ?? ''));
  } catch {
    return {};
  }
}
