import parseAddresses from 'nodemailer/lib/addressparser';

/** The sender of mails. */
export interface MailAddress {
  name: string;
  address: string;
}

/** Reads one address, with or without a name. */
export function parseMailAddress(text: string): { value: MailAddress } | { problem: string } {
  const [first, ...others] = parseAddresses(text);
  const address = first?.address ?? '';
  // The library accepts any text; if the parsed address does not appear in it literally, the text is invalid.
  const isThere = text.trim() === address || text.trim().endsWith(`<${address}>`);
  const isOne = isThere && others.length === 0 && !/\p{Cc}/u.test(text);
  const isSound = isOne && ADDRESS.test(address) && address.length <= 254;
  return first !== undefined && isSound
    ? { value: { name: first.name, address } }
    : { problem: 'must be one address, for example Seathold <no-reply@example.com>' };
}

/** ASCII only: not every mail server accepts other characters in a sender (RFC 6531). */
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
