import { createHmac } from 'node:crypto';
import { signWebhook } from '@seathold/client';

/** The headers that prove a forwarded event, those of a real delivery: `X-Service-Signature` and Standard Webhooks'. */
export async function signForwarded(
  secret: string,
  eventId: string,
  timestampSeconds: number,
  body: string,
): Promise<Record<string, string>> {
  const key = standardKey(secret);
  const signed = `${eventId}.${timestampSeconds}.${body}`;
  return {
    'x-service-signature': await signWebhook(body, secret, timestampSeconds),
    ...(key === undefined
      ? {}
      : {
          'webhook-id': eventId,
          'webhook-timestamp': String(timestampSeconds),
          'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
        }),
  };
}

/** Stock libraries use the base64 after the prefix, and refuse anything else. */
function standardKey(secret: string): Buffer | undefined {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  return key.length > 0 && key.toString('base64') === text ? key : undefined;
}
