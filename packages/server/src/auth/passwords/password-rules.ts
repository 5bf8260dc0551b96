import { readFileSync } from 'node:fs';

/** Why a password is refused although it is long enough. */
export type PasswordFault = 'common' | 'personal';

/**
 * What is wrong with a new password, if anything. The schema checks the length. There are no rules on kinds of
 * characters, because they make passwords worse (NIST SP 800-63B §3.1.1.2).
 */
export function findPasswordFault(password: string, owner: { email: string; name: string }): PasswordFault | undefined {
  const folded = fold(password);
  if (COMMON_PASSWORDS.has(folded)) {
    return 'common';
  }
  return personalWords(owner).includes(folded) ? 'personal' : undefined;
}

/** The most common passwords of ten or more characters, one per line, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
);

/** The address, its local part, and the name with and without spaces. */
function personalWords({ email, name }: { email: string; name: string }): string[] {
  const words = [email, email.slice(0, email.indexOf('@')), name, name.replaceAll(/\s/g, '')];
  return words.map(fold);
}

/** Capitals and full-width letters do not make a password less common. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
