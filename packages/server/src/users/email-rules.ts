/**
 * The address in its canonical form, or undefined if it is invalid. It is normalized before it is checked, because
 * otherwise two spellings of one address could register twice (full-width letters, capitals).
 */
export function parseEmail(text: string): string | undefined {
  const email = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  return email.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(email) ? email : undefined;
}

/** RFC 5321 §4.5.3.1.3: a path has 256 octets, including the angle brackets. */
const MAX_EMAIL_CHARACTERS = 254;

/**
 * The dot-atom of RFC 5322 §3.4.1, including letters of every script (RFC 6531), before a domain of at least two
 * labels. Quoted local parts and address literals are refused: they are not used in practice, and mail software
 * disagrees about them.
 */
const EMAIL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u;
