import { createHmac } from 'node:crypto';

/**
 * The headers that prove an attempt. `X-Service-Signature` as service.md "Signature" has it, one v1 for each secret, the
 * newest first; the HMAC key is the whole secret as the customer sees it. Besides them the three of Standard Webhooks 1.0,
 * for those secrets that are base64: left out when none is.
 *
 * @param secrets the secrets that sign, the newest first.
 * @param timestampSeconds the time of the attempt, in seconds since 1970, never that of the event.
 */
export function signAttempt(
  secrets: readonly string[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): Record<string, string> {
  const v1 = secrets.map((secret) => `v1=${hmac(secret, `${timestampSeconds}.${body}`).digest('hex')}`);
  const signatures = secrets.flatMap((secret) => {
    const key = standardKey(secret);
    return key === undefined ? [] : [`v1,${hmac(key, `${eventId}.${timestampSeconds}.${body}`).digest('base64')}`];
  });
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

/** What the stock libraries take as the key: the base64 behind the prefix. Undefined where they would refuse the secret. */
function standardKey(secret: string): Buffer | undefined {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
  const key = Buffer.from(text, 'base64');
  return key.length > 0 && key.toString('base64') === text ? key : undefined;
}

function hmac(key: string | Buffer, signed: string) {
  return createHmac('sha256', key).update(signed);
}
