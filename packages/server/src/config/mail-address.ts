import parseAddresses from 'nodemailer/lib/addressparser';

/** Who mails come from. */
export interface MailAddress {
  name: string;
  address: string;
}

/** Reads one address, with a name before it or none. */
export function parseMailAddress(text: string): { value: MailAddress } | { problem: string } {
  const [first, ...others] = parseAddresses(text);
  const address = first?.address ?? '';
  // The library makes something of everything; what does not stand there as it was read was meant otherwise.
  const isThere = text.trim() === address || text.trim().endsWith(`<${address}>`);
  const isOne = isThere && others.length === 0 && !/\p{Cc}/u.test(text);
  const isSound = isOne && ADDRESS.test(address) && address.length <= 254;
  return first !== undefined && isSound
    ? { value: { name: first.name, address } }
    : { problem: 'must be one address, for example Seathold <no-reply@example.com>' };
}

/** ASCII alone: not every server on the way knows other letters in a sender (RFC 6531). */
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
