import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A secret prepared for signing many attempts. */
export interface SigningKey {
  /** As the customer sees it, including the prefix. */
  whole: KeyObject;
  /** The key used by the stock libraries, unless they would refuse the secret. */
  decoded: KeyObject | undefined;
}

/** Prepares a secret. Doing this for every attempt would take as long as signing. */
export function signingKey(secret: string): SigningKey {
  const decoded = standardKey(secret);
  return {
    whole: createSecretKey(secret, 'utf8'),
    decoded: decoded === undefined ? undefined : createSecretKey(decoded),
  };
}

/**
 * The headers that prove an attempt. `X-Service-Signature` as defined in service.md "Signature", one v1 per secret,
 * newest first; the HMAC key is the whole secret as the customer sees it. Also the three of Standard Webhooks 1.0, for
 * the secrets that are base64: omitted if none is.
 *
 * @param keys the signing keys, newest first.
 * @param timestampSeconds the time of the attempt, in seconds since 1970, never that of the event.
 */
export function signAttempt(
  keys: readonly SigningKey[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): Record<string, string> {
  const v1 = keys.map(({ whole }) => `v1=${hmac(whole, `${timestampSeconds}.${body}`).digest('hex')}`);
  const signatures = keys.flatMap(({ decoded }) =>
    decoded === undefined ? [] : [`v1,${hmac(decoded, `${eventId}.${timestampSeconds}.${body}`).digest('base64')}`],
  );
  return {
    'x-service-signature': `t=${timestampSeconds},${v1.join(',')}`,
    ...(signatures.length === 0
      ? {}
      : {
          'webhook-id': eventId,
          'webhook-timestamp': String(timestampSeconds),
          'webhook-signature': signatures.join(' '),
        }),
  };
}

/** The key used by the stock libraries: the base64 after the prefix. Undefined if they would refuse the secret. */
function standardKey(secret: string): Buffer | undefined {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
  const key = Buffer.from(text, 'base64');
  return key.length > 0 && key.toString('base64') === text ? key : undefined;
}

function hmac(key: KeyObject, signed: string) {
  return createHmac('sha256', key).update(signed);
}
