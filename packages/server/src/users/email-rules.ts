/**
 * The address in the one form in which it is stored and compared, or undefined when it is none. It is normalised before
 * it is checked, since the other order lets two spellings of one address register twice (full-width letters, capitals).
 */
export function parseEmail(text: string): string | undefined {
  const email = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  return email.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(email) ? email : undefined;
}

/** RFC 5321 §4.5.3.1.3: a path has 256 octets, the angle brackets included. */
const MAX_EMAIL_CHARACTERS = 254;

/**
 * The dot-atom of RFC 5322 §3.4.1, letters of every script included (RFC 6531), before a domain of at least two labels.
 * Quoted local parts and address literals are refused: nobody has one, and mail software disagrees about them.
 */
const EMAIL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u;
