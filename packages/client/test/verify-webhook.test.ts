import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  readDelivery,
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from '../src/index.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const OTHER_SECRET = 'whsec_another-secret-of-this-endpoint';
const NOW = new Date('2026-01-31T12:00:00.500Z');
const SECONDS = Math.floor(NOW.getTime() / 1000);
const BODY = JSON.stringify({
  id: 'evt_01kagt2m8xf3q9wz5r7e6b4c1g',
  type: 'license.seat.acquired',
  created: '2026-01-31T12:00:00.000Z',
  data: { object: { session_id: 'sess_1', metadata: { name: 'Zoë 🚀' } } },
  organization_id: 'org_01kagt2m8xf3q9wz5r7e6b4c1h',
});
const V1 = hmac(`${SECONDS}.${BODY}`);
const HEADER = `t=${SECONDS},v1=${V1}`;

describe('readDelivery', () => {
  it('returns the ID and the number of a delivery, whatever the headers are', () => {
    const delivery = { id: 'dlv_1', sequence: 42 };
    expect(readDelivery(new Headers({ 'X-Service-Delivery': 'dlv_1', 'X-Service-Sequence': '42' }))).toEqual(delivery);
    expect(readDelivery({ 'x-service-delivery': 'dlv_1', 'x-service-sequence': ['42'] })).toEqual(delivery);
  });

  it.each([undefined, '', '0', '-1', '1.5', '1e3', '42,43', '99999999999999999'])(
    'has no number for %j',
    (sequence) => {
      expect(readDelivery({ 'x-service-sequence': sequence }).sequence).toBeUndefined();
    },
  );
});

describe('verifyWebhook accepts', () => {
  it('a request as the service sends it, and returns its event', async () => {
    expect(await verify(BODY, HEADER)).toEqual(JSON.parse(BODY));
  });

  it('the body as text, as a Buffer, as a view into a larger buffer and as an ArrayBuffer', async () => {
    const padded = Buffer.from(`xx${BODY}xx`);
    const view = padded.subarray(2, padded.length - 2);
    const buffer = new TextEncoder().encode(BODY).buffer;
    for (const body of [BODY, Buffer.from(BODY), view, buffer]) {
      expect(await verify(body, HEADER)).toHaveProperty('id', 'evt_01kagt2m8xf3q9wz5r7e6b4c1g');
    }
  });

  it('headers as Headers, as Node.js provides them, and as a record in any letter case', async () => {
    const all = [
      new Headers({ 'X-Service-Signature': HEADER }),
      { 'x-service-signature': HEADER, cookie: undefined, 'set-cookie': ['a'] },
      { 'X-SERVICE-SIGNATURE': HEADER },
      { 'x-service-signature': [HEADER] },
    ];
    for (const headers of all) {
      expect(await verifyWebhook(BODY, headers, SECRET, { now: NOW })).toHaveProperty('type');
    }
  });

  it.each([
    ['the newer secret first', `t=${SECONDS},v1=${hmac(`${SECONDS}.${BODY}`, OTHER_SECRET)},v1=${V1}`],
    ['the older secret first', `t=${SECONDS},v1=${V1},v1=${hmac(`${SECONDS}.${BODY}`, OTHER_SECRET)}`],
    ['another order', `v1=${V1},t=${SECONDS}`],
    ['unknown entries', `v0=abc,t=${SECONDS},v1a=xyz,v1=${V1},v2=${V1},=,nonsense`],
    ['spaces after the commas', `t=${SECONDS}, v1=${V1}`],
    ['an invalid v1 next to a valid one', `t=${SECONDS},v1=,v1=zz,v1=${V1}`],
  ])('%s', async (_, header) => {
    expect(await verify(BODY, header)).toHaveProperty('type', 'license.seat.acquired');
  });

  it('any of several secrets', async () => {
    const headers = { 'x-service-signature': HEADER };
    expect(await verifyWebhook(BODY, headers, [OTHER_SECRET, SECRET], { now: NOW })).toHaveProperty('id');
  });

  it('a timestamp at either end of the tolerance', async () => {
    for (const seconds of [SECONDS - 300, SECONDS + 300]) {
      expect(await verify(BODY, await signWebhook(BODY, SECRET, seconds))).toHaveProperty('id');
    }
    const old = { 'x-service-signature': await signWebhook(BODY, SECRET, SECONDS - 900) };
    expect(await verifyWebhook(BODY, old, SECRET, { now: NOW, toleranceSeconds: 900 })).toHaveProperty('id');
  });

  it('a type that this client does not know yet', async () => {
    const body = BODY.replace('license.seat.acquired', 'license.seat.polished');
    expect(await verify(body, await signWebhook(body, SECRET, SECONDS))).toHaveProperty(
      'type',
      'license.seat.polished',
    );
  });
});

describe('verifyWebhook refuses', () => {
  it.each<[WebhookVerificationReason, string, string]>([
    ['missing_header', 'no header', ''],
    ['malformed_header', 'no timestamp', `v1=${V1}`],
    ['malformed_header', 'no signature', `t=${SECONDS}`],
    ['malformed_header', 'only a signature of another scheme', `t=${SECONDS},v0=${V1}`],
    ['malformed_header', 'two timestamps', `t=${SECONDS},t=${SECONDS},v1=${V1}`],
    ['malformed_header', 'an empty timestamp', `t=,v1=${V1}`],
    ['malformed_header', 'a timestamp with a sign', `t=+${SECONDS},v1=${V1}`],
    ['malformed_header', 'a timestamp with a leading zero', `t=0${SECONDS},v1=${V1}`],
    ['malformed_header', 'a timestamp with a fraction', `t=${SECONDS}.0,v1=${V1}`],
    ['malformed_header', 'a timestamp in hexadecimal', `t=0x${SECONDS.toString(16)},v1=${V1}`],
    ['malformed_header', 'an endless timestamp', `t=${'9'.repeat(400)},v1=${V1}`],
    ['malformed_header', 'more signatures than any service sends', `t=${SECONDS}${`,v1=${V1}`.repeat(50)}`],
    ['malformed_header', 'anything else', 'Bearer x'],
    [
      'no_matching_signature',
      'the signature of another secret',
      `t=${SECONDS},v1=${hmac(`${SECONDS}.${BODY}`, OTHER_SECRET)}`,
    ],
    ['no_matching_signature', 'the signature of another time', `t=${SECONDS + 1},v1=${V1}`],
    [
      'no_matching_signature',
      'upper-case hexadecimal, which the service does not send',
      `t=${SECONDS},v1=${V1.toUpperCase()}`,
    ],
    ['no_matching_signature', 'a signature that is too short', `t=${SECONDS},v1=${V1.slice(0, 62)}`],
    ['no_matching_signature', 'a signature that is too long', `t=${SECONDS},v1=${V1}00`],
    ['no_matching_signature', 'the right signature under another name', `t=${SECONDS},v1a=${V1},v1=${'0'.repeat(64)}`],
    ['no_matching_signature', 'an empty signature', `t=${SECONDS},v1=`],
  ])('with %s: %s', async (reason, _, header) => {
    expect(await reasonOf(verify(BODY, header))).toBe(reason);
  });

  it('a timestamp outside the tolerance, before or after', async () => {
    for (const seconds of [SECONDS - 301, SECONDS + 301, 0]) {
      const header = await signWebhook(BODY, SECRET, seconds);
      expect(await reasonOf(verify(BODY, header))).toBe('timestamp_out_of_tolerance');
    }
  });

  it('a body with one byte changed or added, or serialized again', async () => {
    const others = [BODY.replace('sess_1', 'sess_2'), `${BODY} `, JSON.stringify(JSON.parse(BODY), undefined, 1)];
    for (const body of others) {
      expect(await reasonOf(verify(body, HEADER))).toBe('no_matching_signature');
    }
  });

  it('a header that was sent twice, in every form', async () => {
    const twice = new Headers([
      ['X-Service-Signature', HEADER],
      ['x-service-signature', HEADER],
    ]);
    const forms = [
      twice,
      { 'x-service-signature': [HEADER, HEADER] },
      { 'x-service-signature': HEADER, 'X-Service-Signature': HEADER },
    ];
    for (const headers of forms) {
      expect(await reasonOf(verifyWebhook(BODY, headers, SECRET, { now: NOW }))).toBe('malformed_header');
    }
  });

  it('a parsed body, with an error that asks for the raw one', async () => {
    const parsed: Uint8Array = JSON.parse(BODY);
    const refused = verify(parsed, HEADER);
    await expect(refused).rejects.toThrow('Pass the raw body');
    expect(await reasonOf(refused)).toBe('invalid_body');
  });

  it.each([
    'not json',
    '[]',
    'null',
    '"text"',
    '{}',
    '{"id":"evt_1"}',
    BODY.replace('"object":{', '"thing":{'),
    `\ufeff${BODY}`,
  ])('a signed body that is not an event: %s', async (body) => {
    expect(await reasonOf(verify(body, await signWebhook(body, SECRET, SECONDS)))).toBe('invalid_body');
  });

  it('a signed body that is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from(BODY), Buffer.from([0xff])]);
    expect(await reasonOf(verify(body, await signWebhook(body, SECRET, SECONDS)))).toBe('invalid_body');
  });

  it('to work without a secret, or with a tolerance or a time that would accept everything', async () => {
    const headers = { 'x-service-signature': HEADER };
    const missing: string = JSON.parse('[null]')[0];
    for (const secret of ['', ' ', [], [SECRET, ''], missing]) {
      await expect(verifyWebhook(BODY, headers, secret)).rejects.toThrow(TypeError);
    }
    for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      await expect(verifyWebhook(BODY, headers, SECRET, { toleranceSeconds })).rejects.toThrow(TypeError);
    }
    await expect(verifyWebhook(BODY, headers, SECRET, { now: new Date('never') })).rejects.toThrow(TypeError);
  });
});

describe('together with Stripe’s library', () => {
  const { webhooks } = new Stripe('sk_test_none');

  it('verifyWebhook accepts the header that the library generates for tests', async () => {
    const header = webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET, timestamp: SECONDS });
    expect(await verify(BODY, header)).toHaveProperty('id');
  });

  it('signWebhook produces headers that the library accepts, with one secret and during a rotation', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    for (const secret of [SECRET, [OTHER_SECRET, SECRET]]) {
      const header = await signWebhook(BODY, secret, seconds);
      expect(webhooks.constructEvent(BODY, header, SECRET)).toHaveProperty('type', 'license.seat.acquired');
    }
  });
});

it('signWebhook signs with the current time by default', async () => {
  const header = await signWebhook(Buffer.from(BODY), SECRET);
  expect(await verifyWebhook(BODY, { 'x-service-signature': header }, SECRET)).toHaveProperty('id');
});

it('the type of an event determines the type of its object', () => {
  expectTypeOf<Extract<WebhookEvent, { type: 'license.seat.acquired' }>['data']['object']['session_id']>().toBeString();
});

function verify(body: Parameters<typeof verifyWebhook>[0], header: string) {
  return verifyWebhook(body, { 'x-service-signature': header }, SECRET, { now: NOW });
}

async function reasonOf(promise: Promise<unknown>): Promise<WebhookVerificationReason | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof WebhookVerificationError ? error.reason : undefined;
}

/** Written independently of the client, from the specification. */
function hmac(text: string, secret = SECRET): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
