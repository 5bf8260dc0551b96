import { httpError, invalidRequest } from '../../http/index.ts';
import { parseEmail } from '../../users/index.ts';
import { findPasswordFault, type PasswordFault } from '../passwords/password-rules.ts';
import type { Registration } from './schemas.ts';

/** Normalises a registration that fits its schema. Throws for an address that is none and a password that is no secret. */
export function checkRegistration(input: Registration): Registration {
  const email = parseEmail(input.email);
  if (email === undefined) {
    throw invalidRequest('email', 'format', 'email must be an e-mail address.');
  }
  const name = input.name.trim();
  const fault = findPasswordFault(input.password, { email, name });
  if (fault !== undefined) {
    throw httpError('validation_failed', REFUSALS[fault], { details: { field: 'password', reason: fault } });
  }
  return { email, name, password: input.password };
}

const REFUSALS: Readonly<Record<PasswordFault, string>> = {
  common: 'This password is one of the most used ones; choose another.',
  personal: 'The password must not be the name or the e-mail address; choose another.',
};
