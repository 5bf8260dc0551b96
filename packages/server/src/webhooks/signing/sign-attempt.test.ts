import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { newSecret } from './secrets.ts';
import { signAttempt, signingKey } from './sign-attempt.ts';

const BODY = '{"id":"evt_01kagt2m8xf3q9wz5r7e6b4c1h","type":"license.expired","data":{"object":{"name":"Zoë ☂"}}}';
const EVENT_ID = 'evt_01kagt2m8xf3q9wz5r7e6b4c1h';
const sign = (secrets: readonly string[], eventId: string, seconds: number, body: string) =>
  signAttempt(secrets.map(signingKey), eventId, seconds, body);
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('a signed attempt', () => {
  it('has the lowercase HMAC-SHA256 of timestamp, dot and body with the whole secret', () => {
    const secret = newSecret();
    const v1 = createHmac('sha256', secret).update(`1700000000.${BODY}`).digest('hex');
    expect(sign([secret], EVENT_ID, 1_700_000_000, BODY)['x-service-signature']).toBe(`t=1700000000,v1=${v1}`);
  });

  it('is accepted by the unmodified stripe, standardwebhooks and svix libraries, and refused if a byte is changed', () => {
    const secret = newSecret();
    const headers = sign([secret], EVENT_ID, nowSeconds(), BODY);
    const signature = headers['x-service-signature'] ?? '';
    expect(Stripe.webhooks.constructEvent(BODY, signature, secret).id).toBe(EVENT_ID);
    expect(() => Stripe.webhooks.constructEvent(`${BODY} `, signature, secret)).toThrow();
    for (const webhook of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
      expect(() => webhook.verify(BODY, headers)).not.toThrow();
      expect(() => webhook.verify(`${BODY} `, headers)).toThrow();
    }
  });

  it('is signed with both secrets during a rotation, newest first, and all three accept either', () => {
    const [fresh, old] = [newSecret(), newSecret()];
    const headers = sign([fresh, old], EVENT_ID, nowSeconds(), BODY);
    const signature = headers['x-service-signature'] ?? '';
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    const firstAlone = sign([fresh], EVENT_ID, Number(signature.slice(2, 12)), BODY)['x-service-signature'];
    expect(signature.startsWith(String(firstAlone))).toBe(true);
    for (const secret of [fresh, old]) {
      expect(Stripe.webhooks.constructEvent(BODY, signature, secret).id).toBe(EVENT_ID);
      expect(new StandardWebhook(secret).verify(BODY, headers)).toBeDefined();
      expect(() => new SvixWebhook(secret).verify(BODY, headers)).not.toThrow();
    }
    expect(() => Stripe.webhooks.constructEvent(BODY, signature, newSecret())).toThrow();
  });

  it.each([
    ['a secret that is not base64', ['my secret, with spaces & signs!']],
    ['unpadded base64', ['whsec_YWJj4']],
    ['nothing after the prefix', ['whsec_']],
  ])('omits the Standard Webhooks headers for %s', (_name, secrets) => {
    expect(Object.keys(sign(secrets, EVENT_ID, nowSeconds(), BODY))).toEqual(['x-service-signature']);
  });

  it('has them for the only base64 secret, beside one that is not', () => {
    const secret = newSecret();
    const headers = sign(['plain secret that is not base64', secret], EVENT_ID, nowSeconds(), BODY);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(new StandardWebhook(secret).verify(BODY, headers)).toBeDefined();
  });
});
