import { httpError } from '../../http/index.ts';
import { findPasswordFault, type PasswordFault } from './password-rules.ts';

/** Throws `validation_failed` for a weak new password; the schema checks its length. */
export function requireSoundPassword(password: string, owner: { email: string; name: string }): void {
  const fault = findPasswordFault(password, owner);
  if (fault !== undefined) {
    throw httpError('validation_failed', REFUSALS[fault], { details: { field: 'password', reason: fault } });
  }
}

const REFUSALS: Readonly<Record<PasswordFault, string>> = {
  common: 'This password is too common. Choose another one.',
  personal: 'The password must not be your name or email address. Choose another one.',
};
