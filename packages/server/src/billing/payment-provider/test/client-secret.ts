import { createHmac, timingSafeEqual } from 'node:crypto';

/** The secret with which a client acts as the customer of one charge. It is derived, so no secret is stored. */
export function clientSecretOf(key: Buffer, paymentRef: string): string {
  return `${paymentRef}${SEPARATOR}${macOf(key, paymentRef)}`;
}

/** The charge of a client secret; undefined if it is not genuine. Compared in constant time. */
export function verifyClientSecret(key: Buffer, clientSecret: string): string | undefined {
  const at = clientSecret.lastIndexOf(SEPARATOR);
  if (at < 1) {
    return undefined;
  }
  const paymentRef = clientSecret.slice(0, at);
  const given = Buffer.from(clientSecret.slice(at + SEPARATOR.length));
  const wanted = Buffer.from(macOf(key, paymentRef));
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? paymentRef : undefined;
}

const SEPARATOR = '_secret_';

function macOf(key: Buffer, paymentRef: string): string {
  return createHmac('sha256', key).update(paymentRef).digest('hex').slice(0, 40);
}
