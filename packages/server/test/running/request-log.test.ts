import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { createRequestLog } from '../../src/http/index.ts';
import { createLogger, setLogLevel } from '../../src/log/index.ts';
import { createTest } from '../harness/fixtures.ts';
import { startAppForTest, type TestApp } from '../harness/index.ts';

const it = createTest()
  .override('admin', ({ app }) => app.register('Ada'))
  .extend('asAda', ({ admin }) => () => ({ authorization: `Bearer ${admin.accessToken}` }));

function lineOf(app: TestApp, requestId: string | null | undefined) {
  const lines = app.requestLines.filter((line) => line.includes(`"request_id":"${requestId}"`));
  expect(lines).toHaveLength(1);
  const [line = ''] = lines;
  expect(line).toMatch(/^[\x20-\x7e]+\n$/);
  return JSON.parse(line);
}

const call = (app: TestApp, path: string, init: RequestInit = {}) =>
  fetch(app.api.baseUrl + path, { redirect: 'manual', ...init });

describe('the log has the request ID of a response', () => {
  it('if it succeeded, with the caller but none of the request’s content', async ({ app, admin, asAda }) => {
    const answer = await call(app, '/v1/licenses?status=active', { headers: asAda() });
    expect(lineOf(app, answer.headers.get('x-request-id'))).toMatchObject({
      level: 30,
      environment: 'production',
      method: 'GET',
      route: '/v1/licenses',
      status: 200,
      duration_ms: expect.any(Number),
      organization_id: admin.organizationId,
      user_id: admin.userId,
    });
    expect(app.requestLines.join('')).not.toContain('active');
  });

  it.for([
    ['nowhere', '/v1/nowhere/secret-in-path?token=hidden', {}, 404, 'not_found', undefined],
    ['a wrong method', '/v1/licenses', { method: 'PUT' }, 405, 'method_not_allowed', undefined],
    ['no token', '/v1/me', {}, 401, 'invalid_token', '/v1/me'],
    [
      'a body that is not JSON',
      '/v1/auth/login',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_request',
      '/v1/auth/login',
    ],
    [
      'another media type',
      '/v1/auth/login',
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
      '/v1/auth/login',
    ],
    [
      'too large a body',
      '/v1/auth/login',
      { method: 'POST', body: 'x'.repeat(300_000), headers: { 'content-type': 'application/json' } },
      413,
      'payload_too_large',
      '/v1/auth/login',
    ],
  ] as Array<[string, string, RequestInit, number, string, string | undefined]>)(
    'if it was refused for %s',
    async ([_, path, init, status, code, route], { app }) => {
      const answer = await call(app, path, init);
      expect(answer.status).toBe(status);
      const line = lineOf(app, answer.headers.get('x-request-id'));
      expect(line).toMatchObject({ status, code });
      if (route !== undefined) expect(line.route).toBe(route);
      expect(JSON.stringify(line)).not.toMatch(/secret-in-path|hidden/);
    },
  );

  it('if an OAuth page or endpoint answered', async ({ app }) => {
    const page = await call(app, '/oauth/authorize?client_id=hidden');
    expect(lineOf(app, page.headers.get('x-request-id'))).toMatchObject({
      route: '/oauth/authorize',
      status: page.status,
    });
    const token = await call(app, '/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) });
    expect(lineOf(app, token.headers.get('x-request-id'))).toMatchObject({
      route: '/oauth/token',
      status: token.status,
    });
  });

  it('if the request came over plain HTTP, or was not HTTP', async ({ app }) => {
    const server = createServer(app.service.handlePlain).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = await fetch(`http://127.0.0.1:${port}/v1/me?token=hidden`);
    expect(lineOf(app, refused.headers.get('x-request-id'))).toMatchObject({ status: 403, code: 'https_required' });
    const { headers } = app.service.answerClientError('headers-too-large', '127.0.0.1');
    expect(lineOf(app, headers['x-request-id'])).toMatchObject({ status: 431, code: 'headers_too_large' });
  });
});

describe('the log of requests', () => {
  it('can be limited to errors, and is off above level info', async () => {
    const errorsOnly = await startAppForTest({ settings: { SEATHOLD_LOG_REQUESTS: 'errors' } });
    await errorsOnly.api.get('/healthz');
    await errorsOnly.api.get('/v1/me');
    expect(errorsOnly.requestLines.map((line) => JSON.parse(line).status)).toEqual([401]);
    const lines: string[] = [];
    const log = createLogger('info', { write: () => undefined });
    const stream = {
      write: (line: string) => void lines.push(line),
      takeDropped: () => 0,
      close: async () => undefined,
    };
    const requests = createRequestLog('all', log, stream);
    const request = { ...UNKNOWN, requestId: 'req_1', status: 200 };
    requests.write('production', request);
    setLogLevel(log, 'warn');
    requests.write('production', request);
    setLogLevel(log, 'info');
    requests.write('production', request);
    expect(lines).toHaveLength(2);
  });

  it('reports how many lines it lost to a slow reader', () => {
    const logged: string[] = [];
    const log = createLogger('info', { write: (line) => logged.push(line) });
    let dropped = 7;
    const takeDropped = () => {
      const count = dropped;
      dropped = 0;
      return count;
    };
    const requests = createRequestLog('all', log, {
      write: () => undefined,
      takeDropped,
      close: async () => undefined,
    });
    requests.write('production', { ...UNKNOWN, requestId: 'req_1', status: 200 });
    requests.write('production', { ...UNKNOWN, requestId: 'req_2', status: 200 });
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, dropped: 7 }]);
  });
});

const UNKNOWN = {
  method: undefined,
  route: undefined,
  code: undefined,
  durationMs: 0,
  organizationId: undefined,
  userId: undefined,
};
