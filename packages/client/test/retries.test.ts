import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  ConnectionError,
  RateLimitError,
  SeatholdError,
  ServerError,
  ServiceUnavailableError,
  TimeoutError,
} from '../src/index.ts';
import { answerData, answerError, createClient, cutOff, startFlakyServer } from './flaky-server.ts';

const PROJECT = { name: 'Bridge' };

describe('a request is retried', () => {
  it('after a lost connection, with the same Idempotency-Key and body', async () => {
    const { seathold, received } = await startFlakyServer([cutOff, cutOff, answerData({ id: 'proj_1' }, 201)]);
    expect(await seathold.projects.create(PROJECT)).toEqual({ id: 'proj_1' });
    const keys = new Set(received.map(({ headers }) => headers['idempotency-key']));
    expect(received).toHaveLength(3);
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(received.map(({ body }) => body))).toEqual(new Set([JSON.stringify(PROJECT)]));
  });

  it('with a different key per call, or with the key that the caller gave', async () => {
    const { seathold, received } = await startFlakyServer([answerData({})]);
    await seathold.projects.create(PROJECT);
    await seathold.projects.create(PROJECT);
    await seathold.projects.create(PROJECT, { idempotencyKey: 'mine' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it.each([
    [429, 'rate_limit_exceeded'],
    [503, 'service_unavailable'],
    [409, 'idempotency_in_progress'],
  ])('after %i %s, when the time in Retry-After has passed', async (status, code) => {
    const { seathold, received, pauses } = await startFlakyServer([
      answerError(status, code, { 'retry-after': '7' }),
      answerData({ id: 'proj_1' }),
    ]);
    await seathold.projects.create(PROJECT);
    expect(received).toHaveLength(2);
    expect(pauses).toEqual([7_250]);
  });

  it('after the time in the body, if a browser hides the header', async () => {
    const details = { limit: 60, reset_at: '2026-01-31T12:00:00.000Z', retry_after: 3 };
    const error = { code: 'rate_limit_exceeded', message: 'Too many.', details };
    const { seathold, pauses } = await startFlakyServer([
      (response) => response.writeHead(429).end(JSON.stringify({ error, meta: { request_id: 'req_9' } })),
    ]);
    expect(await failure(seathold.me.get())).toMatchObject({ requestId: 'req_9', retryAfterSeconds: 3 });
    expect(pauses).toEqual([3_250, 3_250]);
  });

  it('after a Retry-After that is a date, by the clock of the response', async () => {
    const date = new Date('2026-01-31T12:00:00Z').toUTCString();
    const until = new Date('2026-01-31T12:00:09Z').toUTCString();
    const { seathold, pauses } = await startFlakyServer([
      answerError(503, 'service_unavailable', { 'retry-after': until, date }),
      answerData({}),
    ]);
    await seathold.me.get();
    expect(pauses).toEqual([9_250]);
  });

  it('with growing delays, spread over their whole length', async () => {
    const { seathold, pauses } = await startFlakyServer([cutOff], { maxRetries: 6 });
    await expect(seathold.me.get()).rejects.toThrow(ConnectionError);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
  });

  it('twice by default, or as often as the call or the client specifies', async () => {
    const { seathold, received } = await startFlakyServer([cutOff]);
    await expect(seathold.me.get()).rejects.toThrow(ConnectionError);
    expect(received).toHaveLength(3);
    await expect(seathold.me.get({ maxRetries: 0 })).rejects.toThrow(ConnectionError);
    expect(received).toHaveLength(4);
  });

  it('after another 5xx if repeating is harmless', async () => {
    const { seathold, received } = await startFlakyServer([answerError(500, 'internal_error')]);
    await expect(seathold.me.get()).rejects.toThrow(ServerError);
    expect(received).toHaveLength(3);
    await expect(seathold.projects.create(PROJECT)).rejects.toThrow(ServerError);
    expect(received).toHaveLength(6);
    await expect(seathold.projects.delete('proj_1')).rejects.toThrow(ServerError);
    expect(received).toHaveLength(7);
  });

  it('after a response body that broke off', async () => {
    const { seathold, received } = await startFlakyServer([
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"data":', () => response.destroy());
      },
      answerData({ id: 'usr_1' }),
    ]);
    expect(await seathold.me.get()).toEqual({ id: 'usr_1' });
    expect(received).toHaveLength(2);
  });

  it('after an attempt that took too long', async () => {
    const { seathold, received } = await startFlakyServer([() => undefined], { timeoutMs: 1_000, maxRetries: 1 });
    const error = await failure(seathold.me.get());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timed_out', status: undefined, requestId: undefined, wasSent: true });
    expect(received).toHaveLength(2);
  });
});

describe('a request is not retried', () => {
  it('if Retry-After is longer than a caller would wait', async () => {
    const answer = answerError(429, 'rate_limit_exceeded', { 'retry-after': '3600' });
    const { seathold, received } = await startFlakyServer([answer]);
    const error = await failure(seathold.me.get());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 3_600 });
    expect(received).toHaveLength(1);
  });

  it('if it would be refused again', async () => {
    const { seathold, received } = await startFlakyServer([answerError(409, 'conflict')]);
    await expect(seathold.me.get()).rejects.toThrow(ConflictError);
    expect(received).toHaveLength(1);
  });

  it('if the service may have done it and would do it twice, such as logging in or registering', async () => {
    const credentials = { email: 'ada@example.com', password: 'correct horse' };
    const { seathold, received } = await startFlakyServer([cutOff, answerError(500, 'internal_error')]);
    await expect(seathold.auth.login(credentials)).rejects.toThrow(ConnectionError);
    await expect(seathold.auth.register({ ...credentials, name: 'Ada' })).rejects.toThrow(ServerError);
    expect(received).toHaveLength(2);
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('except for a login that certainly had no effect: no connection, 429, 503', async () => {
    const credentials = { email: 'ada@example.com', password: 'correct horse' };
    const { seathold, received } = await startFlakyServer([
      answerError(503, 'service_unavailable', { 'retry-after': '1' }),
      answerError(429, 'rate_limit_exceeded', { 'retry-after': '1' }),
      answerData({ access_token: 'a' }),
    ]);
    expect(await seathold.auth.login(credentials)).toEqual({ access_token: 'a' });
    expect(received).toHaveLength(3);

    const closed = await startFlakyServer([]);
    await new Promise((resolve) => closed.server.close(resolve));
    const error = await failure(closed.seathold.auth.login(credentials));
    expect(error).toMatchObject({ code: 'connection_failed', wasSent: false });
    expect(error).toHaveProperty('message', expect.stringContaining('ECONNREFUSED'));
    expect(closed.pauses).toHaveLength(2);
  });

  it('once its caller has aborted it, and it rejects with the reason', async () => {
    const controller = new AbortController();
    const { seathold, received } = await startFlakyServer([() => controller.abort(new Error('enough'))]);
    await expect(seathold.me.get({ signal: controller.signal })).rejects.toThrow('enough');
    await expect(seathold.me.get({ signal: controller.signal })).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });

  it('once its caller has aborted it while it waited', async () => {
    const controller = new AbortController();
    const { seathold, received } = await startFlakyServer([
      (response, request) => {
        answerError(503, 'service_unavailable')(response, request);
        response.once('finish', () => controller.abort(new Error('enough')));
      },
    ]);
    await expect(seathold.me.get({ signal: controller.signal })).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });
});

describe('a response that is not the API’s', () => {
  it.each([
    [502, ServerError],
    [503, ServiceUnavailableError],
    [403, SeatholdError],
  ])('becomes the error of its status if it is a proxy’s page with status %i', async (status, Class) => {
    const { seathold } = await startFlakyServer(
      [(response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')],
      { maxRetries: 0 },
    );
    const error = await failure(seathold.me.get());
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ code: 'unexpected_answer', status, details: {} });
    expect(error).toHaveProperty('message', expect.stringContaining('text/html'));
  });

  it.each(['<html>', '[]', 'null', '{"ok":true}', ''])('is not accepted as a success: %s', async (body) => {
    const { seathold } = await startFlakyServer([(response) => response.end(body)]);
    await expect(seathold.me.get()).rejects.toMatchObject({ name: 'UnexpectedAnswerError', status: 200 });
  });

  it('is not accepted where the body should be empty: a page does not prove that something was deleted', async () => {
    const { seathold } = await startFlakyServer([(response) => response.end('<html>')]);
    await expect(seathold.projects.delete('proj_1')).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it.each(['{"data":{}}', '{"data":[]}', '{"data":[],"pagination":{"has_more":1}}'])(
    'is not accepted as a page: %s',
    async (body) => {
      const { seathold } = await startFlakyServer([(response) => response.end(body)]);
      await expect(seathold.events.list()).rejects.toMatchObject({ code: 'unexpected_answer' });
    },
  );

  it('is not accepted as a redirect, and the token does not follow it', async () => {
    const elsewhere = await startFlakyServer([answerData({})]);
    const { seathold } = await startFlakyServer([
      (response) => response.writeHead(307, { location: `${elsewhere.url}/v1/me` }).end(),
    ]);
    await expect(seathold.me.get()).rejects.toMatchObject({ code: 'redirected', status: 307 });
    expect(elsewhere.received).toHaveLength(0);
  });

  it('is not accepted as a redirect in a browser, either', async () => {
    const opaque = { status: 0, type: 'opaqueredirect', headers: new Headers(), text: noText, arrayBuffer: noBytes };
    await expect(createClient(async () => opaque, []).me.get()).rejects.toMatchObject({ code: 'redirected' });
  });
});

describe('an error never shows the token', () => {
  it('whatever the service, a proxy or fetch returns', async () => {
    const { seathold } = await startFlakyServer([
      (response, { headers }) =>
        response.writeHead(400, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            error: { code: 'bad', message: `${headers.authorization} is bad`, details: { ...headers } },
          }),
        ),
    ]);
    const errors = [
      await failure(seathold.me.get()),
      await failure(
        createClient(async (_url, request) => {
          throw Object.assign(new TypeError(`fetch failed with ${request.headers.authorization}`), { request });
        }, []).me.get(),
      ),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(SeatholdError);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('7Kq2');
      expect(JSON.stringify(error)).not.toContain('7Kq2');
    }
    expect(inspect(seathold, { depth: 20 })).not.toContain('7Kq2');
  });
});

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function noText(): Promise<string> {
  return '';
}

async function noBytes(): Promise<ArrayBuffer> {
  return new ArrayBuffer(0);
}
