import { readFileSync } from 'node:fs';

/** Why a password is refused that is long enough. */
export type PasswordFault = 'common' | 'personal';

/**
 * What is wrong with a new password, if anything. Length is the schema's business; there are no rules on kinds of
 * characters, since they make passwords worse (NIST SP 800-63B §3.1.1.2).
 */
export function findPasswordFault(password: string, owner: { email: string; name: string }): PasswordFault | undefined {
  const folded = fold(password);
  if (COMMON_PASSWORDS.has(folded)) {
    return 'common';
  }
  return personalWords(owner).includes(folded) ? 'personal' : undefined;
}

/** Passwords of ten characters and more that people use most, one a line, lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
);

/** The address, what stands before its @, and the name with and without spaces. */
function personalWords({ email, name }: { email: string; name: string }): string[] {
  const words = [email, email.slice(0, email.indexOf('@')), name, name.replaceAll(/\s/g, '')];
  return words.map(fold);
}

/** Capitals and full-width letters make a password no rarer. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
