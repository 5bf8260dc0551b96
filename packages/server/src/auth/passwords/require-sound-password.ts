import { httpError } from '../../http/index.ts';
import { findPasswordFault, type PasswordFault } from './password-rules.ts';

/** Throws `validation_failed` for a new password that is no secret; its length is the schema's business. */
export function requireSoundPassword(password: string, owner: { email: string; name: string }): void {
  const fault = findPasswordFault(password, owner);
  if (fault !== undefined) {
    throw httpError('validation_failed', REFUSALS[fault], { details: { field: 'password', reason: fault } });
  }
}

const REFUSALS: Readonly<Record<PasswordFault, string>> = {
  common: 'This password is one of the most used ones; choose another.',
  personal: 'The password must not be the name or the e-mail address; choose another.',
};
