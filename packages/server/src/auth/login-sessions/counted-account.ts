import { parseEmail } from '../../users/index.ts';

/**
 * The account that a login is counted under, read from a body that nothing has checked yet: an attempt counts whatever
 * else is wrong with it. Undefined when no address can be made out.
 */
export function countedAccount(rawBody: Buffer | undefined): string | undefined {
  const body = parseLeniently(rawBody);
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  return typeof email === 'string' && email.length <= MAX_CHARACTERS ? parseEmail(email) : undefined;
}

/** Longer ones are refused by the schema, and normalising is work. */
const MAX_CHARACTERS = 320;

function parseLeniently(rawBody: Buffer | undefined): unknown {
  try {
    return JSON.parse(rawBody?.toString() ?? '');
  } catch {
    return undefined;
  }
}
