import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';

interface Got {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Unlike `fetch`, leaves the response encoded. */
function get(app: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(app.api.baseUrl + path, { method, headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
    });
    asked.on('error', reject).end();
  });
}

describe.each([
  '/v1/openapi.json',
  '/docs/scalar.js',
  '/.well-known/oauth-authorization-server',
  '/oauth/assets/style.css',
])('the document %s', (path) => {
  it('is served in the encoding that the client accepts, with one entity tag per encoding', async ({ app }) => {
    const plain = await get(app, path);
    const zipped = await get(app, path, { 'accept-encoding': 'gzip' });
    const brotli = await get(app, path, { 'accept-encoding': 'gzip, br' });
    expect([plain, zipped, brotli].map((each) => each.headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(new Set([plain, zipped, brotli].map((each) => each.headers.etag)).size).toBe(3);
    for (const { status, headers, body } of [plain, zipped, brotli]) {
      expect(status).toBe(200);
      expect(headers.etag).toMatch(/^"[\w-]{22}(?:-gzip|-br)?"$/);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['x-request-id']).toMatch(/^req_/);
    }
  });

  it('returns 304 without a body if the client has it', async ({ app }) => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const { etag = '' } = (await get(app, path, { 'accept-encoding': coding })).headers;
      for (const header of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(app, path, { 'accept-encoding': coding, 'if-none-match': header });
        expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
        expect(again.headers.vary).toBe('Accept-Encoding');
        expect(again.headers['cache-control']).toMatch(/^public/);
        expect(again.headers['content-type']).toBeUndefined();
      }
      const other = await get(app, path, { 'accept-encoding': coding, 'if-none-match': '"other"' });
      expect(other.status).toBe(200);
    }
  });

  it('returns the same headers and no body for HEAD', async ({ app }) => {
    const headers = { 'accept-encoding': 'gzip' };
    const [whole, head] = [await get(app, path, headers), await get(app, path, headers, 'HEAD')];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'vary', 'cache-control']) {
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    }
  });
});

describe('documents', () => {
  it('are not compressed if they are small', async ({ app }) => {
    const { headers } = await get(app, '/avatar.svg', { 'accept-encoding': 'gzip' });
    expect([headers['content-encoding'], headers['content-type']]).toEqual([undefined, 'image/svg+xml']);
  });

  it('are compressed once for any number of concurrent requests', async ({ app }) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get(app, '/v1/openapi.json', { 'accept-encoding': 'br' })),
    );
    expect(new Set(answers.map((each) => each.headers.etag)).size).toBe(1);
    const [first] = answers;
    expect(answers.every((each) => first !== undefined && each.body.equals(first.body))).toBe(true);
  });
});

describe('the key set', () => {
  it('has an entity tag, and returns 304 to a client that sends it', async ({ app }) => {
    const { headers, body } = await get(app, '/.well-known/jwks.json');
    expect([headers['cache-control'], JSON.parse(body.toString()).keys.length]).toEqual(['public, max-age=300', 1]);
    const again = await get(app, '/.well-known/jwks.json', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  });
});

describe('an authenticated response', () => {
  it('is never cacheable and has no entity tag', async ({ app, ada }) => {
    const answer = await app.api.get('/v1/me', ada.accessToken);
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
  });
});
