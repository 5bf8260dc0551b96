import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Member } from '../harness/index.ts';
import { findEnvelopeFault, findHeaderFault } from './check-answer.ts';
import { type ListeningApp, startListeningApp } from './listening-app.ts';
import { type RawAnswer, RawConnection } from './raw-connection.ts';

let subject: ListeningApp;
let connection: RawConnection;
let ada: Member;
let licenseKey: string;

beforeAll(async () => {
  subject = await startListeningApp({ trustsPlain: true });
  connection = RawConnection.to(subject.listener.port);
  ada = await subject.test.register('Ada');
  licenseKey = (await subject.test.issueLicense(ada.organizationId)).key;
});
afterAll(async () => {
  connection.close();
  await subject.close();
});

interface Asked {
  method?: string;
  token?: string | null;
  body?: string | Buffer;
  headers?: ReadonlyArray<readonly [string, string]>;
}

async function ask(target: string, asked: Asked = {}): Promise<RawAnswer> {
  const { method = 'GET', token = ada.accessToken, body, headers = [] } = asked;
  const type = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
  const answer = await connection.send({
    method,
    target,
    headers: [...(token === null ? [] : [['Authorization', `Bearer ${token}`] as const]), ...type, ...headers],
    body: body === undefined ? undefined : Buffer.from(body),
    isChunked: false,
  });
  expect(findHeaderFault(answer)).toBeUndefined();
  return answer;
}

async function errorOf(target: string, asked: Asked = {}) {
  const answer = await ask(target, asked);
  expect(findEnvelopeFault(answer)).toBeUndefined();
  const { code, details } = JSON.parse(answer.body).error;
  return details === undefined ? { status: answer.status, code } : { status: answer.status, code, details };
}

const invalid = (field: string, reason: string) => ({
  status: 400,
  code: 'invalid_request',
  details: { field, reason },
});
const acquire = (body: string | Buffer, asked: Asked = {}) =>
  errorOf('/v1/licenses/acquire', { method: 'POST', body, ...asked });
const HARDWARE_ID = `hw_${'0'.repeat(32)}`;
const seat = (metadata: string) =>
  `{"license_key":${JSON.stringify(licenseKey)},"hardware_id":"${HARDWARE_ID}","metadata":${metadata}}`;

describe('a body', () => {
  it.each([
    ['half an object', '{"license_key":', '', 'malformed'],
    ['text that is not JSON', 'license_key=a', '', 'malformed'],
    ['only blanks', ' \n ', '', 'malformed'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), '', 'malformed'],
    ['two objects', '{}{}', '', 'malformed'],
    ['200 levels', `{"metadata":${'['.repeat(200)}${']'.repeat(200)}}`, '', 'malformed'],
    ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000), '', 'malformed'],
    ['nothing', '', 'license_key', 'required'],
    ['a list', '[]', '', 'type'],
    ['null', 'null', '', 'type'],
    ['a missing field', '{"license_key":"a"}', 'hardware_id', 'required'],
    ['a mistyped field', '{"license_key":1,"hardware_id":"a"}', 'license_key', 'type'],
    ['an unknown field', '{"license_key":"a","hardware_id":"a","seat":1}', 'seat', 'unknown'],
    ['a forged prototype', '{"license_key":"a","hardware_id":"a","__proto__":{}}', '__proto__', 'unknown'],
    ['an empty text', '{"license_key":"","hardware_id":"a"}', 'license_key', 'length'],
    ['a NUL', '{"license_key":"a\\u0000","hardware_id":"a"}', 'license_key', 'format'],
    ['half a surrogate pair', '{"license_key":"\\ud83d","hardware_id":"a"}', 'license_key', 'format'],
    [
      'a NUL inside metadata',
      '{"license_key":"a","hardware_id":"a","metadata":{"a":{"b":"\\u0000"}}}',
      'metadata.a.b',
      'format',
    ],
    [
      'a number that is too large for JSON',
      '{"license_key":"a","hardware_id":"a","metadata":{"a":{"b":-1e400}}}',
      'metadata.a.b',
      'max',
    ],
    [
      'such a number at the top of metadata',
      '{"license_key":"a","hardware_id":"a","metadata":{"a":1e400}}',
      'metadata.a',
      'max',
    ],
  ])('with %s is refused by field and reason', async (_what, body, field, reason) => {
    expect(await acquire(body)).toEqual(invalid(field, reason));
  });

  it('that nests an unknown field is refused with its dotted path', async () => {
    const body = JSON.stringify({ name: 'a', scopes: ['read:org', 'nonsense'] });
    expect(await errorOf('/v1/api-tokens', { method: 'POST', body })).toEqual(invalid('scopes.1', 'enum'));
    const key = 'k'.repeat(65);
    expect(await acquire(seat(`{"${key}":1}`))).toEqual(invalid(`metadata.${key}`, 'length'));
  });

  it('is required by operations that have one, and refused by those that have none', async () => {
    expect(await errorOf('/v1/licenses/acquire', { method: 'POST' })).toEqual(invalid('license_key', 'required'));
    expect(await errorOf('/v1/auth/logout', { method: 'POST', body: '{"a":1}' })).toEqual(invalid('', 'unknown'));
    expect(await errorOf('/v1/auth/2fa/setup', { method: 'POST', body: '[]' })).toEqual(invalid('', 'unknown'));
    expect((await ask('/v1/me', { body: 'what is this' })).status).toBe(200);
  });

  it('may have 256 KiB and not a byte more', async () => {
    const limit = 262_144;
    const exact = seat('{}').padEnd(limit, ' ');
    expect((await ask('/v1/licenses/acquire', { method: 'POST', body: exact })).status).toBeLessThan(202);
    const tooLarge = { status: 413, code: 'payload_too_large', details: { max_bytes: limit } };
    expect(await acquire(`${exact} `)).toEqual(tooLarge);
    expect((await acquire(`${exact} `, { token: null })).status).toBe(401);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'of the type %j gets 415',
    async (type) => {
      const answer = await connection.send({
        method: 'POST',
        target: '/v1/licenses/acquire',
        headers: [
          ['Authorization', `Bearer ${ada.accessToken}`],
          ...(type === '' ? [] : [['Content-Type', type] as const]),
        ],
        body: Buffer.from('{}'),
        isChunked: false,
      });
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json', 'application/yaml', ''])(
    'without bytes may have the type %j',
    async (type) => {
      const send = async (target: string) => {
        const answer = await connection.send({
          method: 'POST',
          target,
          headers: [
            ['Authorization', `Bearer ${ada.accessToken}`],
            ...(type === '' ? [] : [['Content-Type', type] as const]),
          ],
          body: Buffer.alloc(0),
          isChunked: false,
        });
        return { status: answer.status, details: JSON.parse(answer.body).error?.details };
      };
      expect(await send('/v1/auth/2fa/setup')).toMatchObject({ status: 200 });
      expect(await send('/v1/licenses/acquire')).toEqual({
        status: 400,
        details: { field: 'license_key', reason: 'required' },
      });
    },
  );
});

it('an expiry past the year 9999 is refused', async () => {
  const body = JSON.stringify({ name: 'a', scopes: ['read:org'], expires_at: '9999-12-31T23:59:59-23:59' });
  expect(await errorOf('/v1/api-tokens', { method: 'POST', body })).toEqual(invalid('expires_at', 'format'));
});

describe('a query', () => {
  it.each([
    ['limit=0', 'limit', 'min'],
    ['limit=-1', 'limit', 'min'],
    ['limit=101', 'limit', 'max'],
    ['limit=1000000000', 'limit', 'max'],
    ['limit=99999999999999999999', 'limit', 'max'],
    ['limit=abc', 'limit', 'type'],
    ['limit=1.5', 'limit', 'type'],
    ['limit=', 'limit', 'type'],
    ['limit=1&limit=2', 'limit', 'type'],
    ['cursor=forged', 'cursor', 'format'],
    ['cursor=', 'cursor', 'format'],
    [`cursor=${'A'.repeat(4_000)}`, 'cursor', 'format'],
    ['sort=key', 'sort', 'enum'],
    ['sort=__proto__', 'sort', 'enum'],
    ['status=gone', 'status', 'enum'],
    ['nonsense=1', 'nonsense', 'unknown'],
    ['__proto__=1', '__proto__', 'unknown'],
    ['product=%00', 'product', 'format'],
    ['created_after=yesterday', 'created_after', 'format'],
    ['created_after=2026-02-30T25:00:00Z', 'created_after', 'format'],
    ['created_after=2026-02-30T12:00:00Z', 'created_after', 'format'],
    ['created_after=2026-01-31T24:00:00Z', 'created_after', 'format'],
    ['created_after=9999-12-31T23:59:59-23:59', 'created_after', 'format'],
    ['created_after=0001-01-01T00:00:00%2B23:59', 'created_after', 'format'],
  ])('%s is refused', async (query, field, reason) => {
    expect(await errorOf(`/v1/licenses?${query}`)).toEqual(invalid(field, reason));
  });

  it('of an operation that is not a list is refused with the parameter that contains a NUL', async () => {
    expect(await errorOf('/v1/subscriptions/preview?plan_id=%00&quantity=1')).toEqual(invalid('plan_id', 'format'));
  });

  it('accepts a cursor only for the list, order, filters and organization it was made for', async () => {
    await subject.test.issueLicense(ada.organizationId);
    const eve = await subject.test.register('Eve');
    const page = JSON.parse((await ask('/v1/licenses?limit=1')).body);
    const cursor = page.pagination.next_cursor;
    expect((await ask(`/v1/licenses?limit=1&cursor=${cursor}`)).status).toBe(200);
    const refusals = [
      await errorOf(`/v1/licenses?cursor=${cursor}&sort=product`),
      await errorOf(`/v1/licenses?cursor=${cursor}&status=active`),
      await errorOf(`/v1/licenses?cursor=${cursor.slice(0, -1)}`),
      await errorOf(`/v1/events?cursor=${cursor}`),
      await errorOf(`/v1/licenses?cursor=${cursor}`, { token: eve.accessToken }),
    ];
    expect(refusals).toEqual(Array.from({ length: 5 }, () => invalid('cursor', 'format')));
  });
});

describe('a path', () => {
  const noRoute = { status: 404, code: 'not_found', details: { resource: 'route' } };
  const unknown = ['/v1', '/v1/nothing', '/v1/me/', '/V1/me', '/v1/licenses/a/b/c', '/__proto__'];
  const withoutId = ['/v1/licenses/', '/v1/payment-methods/', '/v1/licenses//sessions', '/v1/operator/users/'];
  it.each([...unknown, ...withoutId])('%s is no route', async (path) => {
    expect(await errorOf(path)).toEqual(noRoute);
    expect(await errorOf(path, { token: null })).toEqual(noRoute);
    expect(await errorOf(path, { method: 'DELETE' })).toEqual(noRoute);
    expect(await errorOf(path, { method: 'TRACE' })).toEqual(noRoute);
    expect(await errorOf(path, { method: 'POST', body: '{', headers: [['X-Odd', 'yes']] })).toEqual(noRoute);
    expect((await ask(path, { method: 'OPTIONS' })).status).toBe(404);
  });

  it.each(['/v1/licenses/%', '/v1/licenses/%zz', '/v1/licenses/%C0%80', '/%'])('%s is malformed', async (path) => {
    expect(await errorOf(path)).toEqual(invalid('', 'malformed'));
  });

  it.each(['%00', 'lic_%00', '..%2f', 'x'.repeat(129), '%F0%9F%92%A9', 'lic_00000000000000000000000000'])(
    'with %s names no license',
    async (id) => {
      const noLicense = { status: 404, code: 'not_found', details: { resource: 'license' } };
      expect(await errorOf(`/v1/licenses/${id}`)).toEqual(noLicense);
      expect(await errorOf(`/v1/licenses/${id}/sessions`)).toEqual(noLicense);
    },
  );
});

describe('a method', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'])(
    '%s that a path does not support gets 405, with the supported methods',
    async (method) => {
      const answer = await ask('/v1/licenses', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      const other = await ask('/v1/licenses/acquire', { method });
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      expect(JSON.parse(other.body).error.code).toBe('method_not_allowed');
    },
  );

  it('HEAD answers like GET, without the body', async () => {
    for (const path of ['/v1/me', '/v1/licenses', '/v1/licenses/unknown', '/v1/nothing', '/healthz']) {
      const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })];
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });
});

describe('an Idempotency-Key', () => {
  it.each(['', 'x'.repeat(256), '\xe9', 'a\tb'])('%j is refused', async (key) => {
    const headers = [['Idempotency-Key', key] as const];
    expect(await acquire(seat('{}'), { headers })).toMatchObject({
      status: 400,
      details: { field: 'Idempotency-Key' },
    });
  });
});

describe('a token', () => {
  it('that is unknown or malformed gets invalid_token', async () => {
    for (const token of ['x', 'x'.repeat(5_000), `${ada.accessToken}x`, ada.refreshToken]) {
      expect(await errorOf('/v1/me', { token })).toEqual({ status: 401, code: 'invalid_token' });
    }
  });

  it('gives no access to another organization', async () => {
    const eve = await subject.test.register('Eve');
    const noOrganization = { status: 404, code: 'not_found', details: { resource: 'organization' } };
    for (const id of [eve.organizationId, '', 'garbage', '\xff', `${ada.organizationId},${eve.organizationId}`]) {
      expect(await errorOf('/v1/me', { headers: [['X-Organization-Id', id]] })).toEqual(noOrganization);
    }
  });
});
