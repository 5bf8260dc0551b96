import type { Principal } from '../../http/index.ts';
import { parseEmail } from '../../users/index.ts';

/**
 * The account that a login is counted under, read from a body that nothing has checked yet: an attempt counts even if
 * the body is otherwise invalid. Undefined if it has no recognizable address.
 */
export function countedAccount(rawBody: Buffer | undefined): string | undefined {
  const body = parseLeniently(rawBody);
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  return typeof email === 'string' && email.length <= MAX_UTF16_UNITS ? parseEmail(email) : undefined;
}

/** The account under which checks of a user's own password are counted: their own, in any organization. */
export function countedUser(_rawBody: Buffer | undefined, principal: Principal | undefined): string | undefined {
  return principal === undefined ? undefined : `user:${principal.userId}`;
}

/** The same for a body in which the password is optional. */
export function countedPasswordChange(
  rawBody: Buffer | undefined,
  principal: Principal | undefined,
): string | undefined {
  const body = parseLeniently(rawBody);
  const holdsPassword = typeof body === 'object' && body !== null && 'current_password' in body;
  return holdsPassword ? countedUser(rawBody, principal) : undefined;
}

/** The schema refuses more than 320 code points, each of at most two UTF-16 units. */
const MAX_UTF16_UNITS = 640;

function parseLeniently(rawBody: Buffer | undefined): unknown {
  try {
    return JSON.parse(rawBody?.toString() ?? '');
  } catch {
    return undefined;
  }
}
