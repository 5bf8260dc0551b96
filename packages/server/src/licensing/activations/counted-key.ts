import { normalizeLicenseKey } from '../licenses/license-key.ts';

/**
 * The license key that an activation is counted under, read from a body that nothing has checked yet. Undefined when the body
 * has no key that could be one of ours: then only the address counts.
 */
export function countedKey(rawBody: Buffer | undefined): string | undefined {
  const typed =
    rawBody === undefined || rawBody.length > MAX_BODY ? undefined : KEY.exec(rawBody.toString('latin1'))?.[1];
  const key = typed === undefined ? undefined : normalizeLicenseKey(typed);
  return key === undefined ? undefined : `license-key:${key}`;
}

const MAX_BODY = 4_096;
const KEY = /"license_key"\s*:\s*"([^"\\]{1,64})"/;
