import { invalidRequest } from '../../http/index.ts';
import { parseEmail } from '../../users/index.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import type { Registration } from './schemas.ts';

/** Normalizes a registration that fits its schema. Throws for an invalid address and a weak password. */
export function checkRegistration(input: Registration): Registration {
  const email = parseEmail(input.email);
  if (email === undefined) {
    throw invalidRequest('email', 'format', 'email must be a valid email address.');
  }
  const name = input.name.trim();
  requireSoundPassword(input.password, { email, name });
  return { email, name, password: input.password };
}
