import { activatingAlias } from '../licenses/key-aliases.ts';
import { normalizeLicenseKey } from '../licenses/license-key.ts';

/**
 * The license key or alias that an activation is counted under, read from a body that nothing has checked yet: an attempt counts
 * even if something else is wrong with it. Undefined when the body has none that could lead to a license: then only the address
 * counts.
 */
export function countedKey(rawBody: Buffer | undefined): string | undefined {
  const { license_key: typed } = parseLeniently(rawBody);
  const key = typeof typed === 'string' && typed.length <= MAX_UTF16_UNITS ? keyOf(typed) : undefined;
  return key === undefined ? undefined : `license-key:${key}`;
}

/** The schema refuses what is longer than 128 code points, of at most two UTF-16 units each. */
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
