import { describe, expect, expectTypeOf } from 'vitest';
import { it } from '../../server/test/harness/fixtures.ts';
import { startTestApp, type TestApp } from '../../server/test/harness/index.ts';
import {
  AuthenticationError,
  ConflictError,
  type Event,
  type Fetch,
  InvalidRequestError,
  type LicenseDetail,
  type List,
  NotFoundError,
  type OwnLogin,
  PermissionError,
  RateLimitError,
  Seathold,
  SeatholdError,
  ValidationError,
} from '../src/index.ts';
import { answerPage, BASE_URL, createClient, fetchAt, startFlakyServer } from './flaky-server.ts';

const HARDWARE_ID = `hw_${'0123456789abcdef'.repeat(2)}`;

/** A client of the app for a newly registered person, or for one of their tokens. */
async function createMember(app: TestApp, options: { token?: string; fetch?: Fetch } = {}) {
  const member = await app.register();
  const seathold = new Seathold({
    token: options.token ?? member.accessToken,
    baseUrl: BASE_URL,
    fetch: options.fetch ?? fetchAt(app.api.baseUrl),
  });
  return { member, seathold };
}

async function readAll(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of list) {
    all.push(item);
  }
  return all;
}

async function failure(promise: Promise<unknown>): Promise<SeatholdError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SeatholdError)) {
    throw new Error(`expected a SeatholdError, not ${String(error)}`);
  }
  return error;
}

describe('resources', () => {
  it('acquire a seat, keep it and release it', async ({ app }) => {
    const { member, seathold } = await createMember(app);
    const license = await app.issueLicense(member.organizationId);
    const seat = await seathold.licenses.acquire({ license_key: license.key, hardware_id: HARDWARE_ID });
    const detail = await seathold.licenses.get(license.id);
    expectTypeOf(detail).toEqualTypeOf<LicenseDetail>();
    expect(detail.active_seats).toBe(1);
    await seathold.licenses.heartbeat({ session_id: seat.session_id });
    const released = await seathold.licenses.release({ session_id: seat.session_id });
    expect(released.status).toBe('released');
  });

  it('take the path’s parameters first, then the body', async ({ app }) => {
    const { member, seathold } = await createMember(app);
    await seathold.organizations.createInvitation(member.organizationId, { email: 'bo@example.com', role: 'member' });
    const { data } = await seathold.organizations.listInvitations(member.organizationId, { limit: 5 });
    expect(data.map(({ email }) => email)).toEqual(['bo@example.com']);
    await seathold.organizations.update(member.organizationId, { name: 'Bridges' });
    const project = await seathold.projects.create({ name: 'Bridge' });
    expect(await seathold.projects.delete(project.id)).toBeUndefined();
  });

  it('show the request ID and the status of each response', async ({ app }) => {
    const { seathold } = await createMember(app);
    const { data, status, requestId, isReplayed, headers } = await seathold.projects
      .create({ name: 'Bridge' }, { idempotencyKey: 'one' })
      .withResponse();
    expect(status).toBe(201);
    expect(requestId).toMatch(/^req_/);
    expect(isReplayed).toBe(false);
    expect(headers.get('X-RateLimit-Limit')).not.toBeNull();
    const again = await seathold.projects.create({ name: 'Bridge' }, { idempotencyKey: 'one' }).withResponse();
    expect(again).toMatchObject({ data, isReplayed: true, status: 201 });
    expect((await seathold.projects.list()).data).toHaveLength(1);
  });

  it('act in the organization named by the client or the call', async ({ app }) => {
    const { member, seathold } = await createMember(app);
    const other = await seathold.organizations.create({ name: 'Second' });
    await seathold.projects.create({ name: 'Theirs' }, { organizationId: other.id });
    expect((await seathold.projects.list()).data).toEqual([]);
    const there = new Seathold({
      token: () => member.accessToken,
      baseUrl: `${BASE_URL}/`,
      fetch: fetchAt(app.api.baseUrl),
      organizationId: other.id,
    });
    expect((await there.projects.list()).data).toHaveLength(1);
  });

  it('can also be called by method and path', async ({ app }) => {
    const { member, seathold } = await createMember(app);
    const project = await seathold.request('POST', '/v1/projects', { body: { name: 'Bridge' } });
    expectTypeOf(project.name).toBeString();
    const found = await seathold.request('GET', '/v1/projects/{project_id}', { params: { project_id: project.id } });
    expect(found).toEqual(project);
    const logins = seathold.request('GET', '/v1/auth/sessions', { query: { limit: 1 } });
    expectTypeOf(logins).toEqualTypeOf<List<OwnLogin>>();
    expect((await logins).data).toHaveLength(1);
    expect((await seathold.request('GET', '/v1/me')).id).toBe(member.userId);
    expect((await seathold.wellKnown.getKeySet()).keys.length).toBeGreaterThan(0);
  });
});

describe('lists', () => {
  it('return every item of every page, once and in order', async ({ app }) => {
    const { seathold } = await createMember(app);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const name of names) {
      await seathold.projects.create({ name });
    }
    const found: string[] = [];
    for await (const project of seathold.projects.list({ limit: 2, sort: 'name' })) {
      found.push(project.name);
    }
    expect(found).toEqual(names);
  });

  it('return one page when awaited, and the next when asked', async ({ app }) => {
    const { seathold } = await createMember(app);
    for (const name of ['a', 'b', 'c']) {
      await seathold.projects.create({ name });
    }
    const page = await seathold.projects.list({ limit: 2, sort: 'name' });
    expect(page.data.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(page.pagination).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expect(page.requestId).toMatch(/^req_/);
    const next = await page.nextPage();
    expect(next?.data.map(({ name }) => name)).toEqual(['c']);
    expect(await next?.nextPage()).toBeUndefined();
    const rest: string[] = [];
    for await (const { name } of page) {
      rest.push(name);
    }
    expect(rest).toEqual(['a', 'b', 'c']);
  });

  it('fetch only pages that are read, and keep the filters on each', async () => {
    const { seathold, received } = await startFlakyServer([
      answerPage([1, 2], 'c1'),
      answerPage([3], 'c2'),
      answerPage([], null),
    ]);
    const events = seathold.events.list({ type: 'license.expired', limit: 2 });
    expectTypeOf(events).toEqualTypeOf<List<Event>>();
    for await (const event of events) {
      if (Number(event) === 2) {
        break;
      }
    }
    expect(received.map(({ path }) => path)).toEqual(['/v1/events?type=license.expired&limit=2']);
    expect(await readAll(events)).toEqual([1, 2, 3]);
    expect(received.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('cursor'))).toEqual([
      null,
      'c1',
      'c2',
    ]);
    expect(received.at(-1)?.path).toContain('type=license.expired&limit=2');
  });

  it('do not loop when a page names itself as the next one', async () => {
    const { seathold } = await startFlakyServer([answerPage([1], 'c1')]);
    await expect(readAll(seathold.events.list())).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});

describe('a lost response', () => {
  it('is requested again, and the request takes effect once', async ({ app }) => {
    const keys = new Set<string | undefined>();
    let calls = 0;
    const send = fetchAt(app.api.baseUrl);
    const member = await app.register();
    const seathold = createClient(
      async (url, request) => {
        const response = await send(url, request);
        keys.add(request.headers['idempotency-key']);
        calls += 1;
        if (calls === 1) {
          await response.text();
          throw new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });
        }
        return response;
      },
      [],
      { token: member.accessToken },
    );
    const { data, isReplayed } = await seathold.projects.create({ name: 'Bridge' }).withResponse();
    expect(isReplayed).toBe(true);
    expect(calls).toBe(2);
    expect(keys.size).toBe(1);
    expect((await seathold.projects.list()).data).toEqual([data]);
  });
});

describe('errors', () => {
  it('have the class of their status, with code, details and request ID', async ({ app }) => {
    const { member, seathold } = await createMember(app);
    const nobody = new Seathold({ baseUrl: BASE_URL, fetch: fetchAt(app.api.baseUrl) });
    const { token } = await seathold.apiTokens.create({ name: 'CI', scopes: ['read:licenses'] });
    const limited = new Seathold({ token, baseUrl: BASE_URL, fetch: fetchAt(app.api.baseUrl) });
    const license = await app.issueLicense(member.organizationId, { maxSeats: 1 });
    await seathold.licenses.acquire({ license_key: license.key, hardware_id: HARDWARE_ID });
    const acquireAgain = () =>
      seathold.licenses.acquire({ license_key: license.key, hardware_id: HARDWARE_ID.replace('0', '1') });
    const table: Array<[() => Promise<unknown>, new (...content: never[]) => SeatholdError, number, string]> = [
      [() => nobody.me.get(), AuthenticationError, 401, 'invalid_token'],
      [
        () => nobody.auth.login({ email: member.email, password: 'wrong' }),
        AuthenticationError,
        401,
        'invalid_credentials',
      ],
      [() => limited.projects.list(), PermissionError, 403, 'insufficient_scope'],
      [() => seathold.projects.get('proj_none'), NotFoundError, 404, 'not_found'],
      [acquireAgain, ConflictError, 409, 'no_seats_available'],
      [() => seathold.projects.list({ limit: 0 }), InvalidRequestError, 400, 'invalid_request'],
      [
        () => seathold.licenses.acquire({ license_key: license.key, hardware_id: 'hw_short' }),
        ValidationError,
        422,
        'invalid_hardware_id',
      ],
    ];
    for (const [call, Class, status, code] of table) {
      const error = await failure(call());
      expect(error).toBeInstanceOf(Class);
      expect(error).toMatchObject({ name: Class.name, status, code, requestId: expect.stringMatching(/^req_/) });
      expect(error.message).not.toBe('');
    }
    const full = await failure(acquireAgain());
    if (!full.has('no_seats_available')) {
      throw full;
    }
    expectTypeOf(full.details.max_seats).toBeNumber();
    expect(full.details).toEqual({ max_seats: 1, active_seats: 1 });
  });

  it('for a rate limit say when to retry', async () => {
    const strict = await startTestApp({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    try {
      const member = await strict.register();
      const seathold = new Seathold({
        token: member.accessToken,
        baseUrl: BASE_URL,
        fetch: fetchAt(strict.api.baseUrl),
        maxRetries: 0,
      });
      const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => seathold.me.get()));
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]).toBeInstanceOf(RateLimitError);
      expect(refused[0].retryAfterSeconds).toBeGreaterThan(0);
      expect(refused[0].details.retry_after).toBe(refused[0].retryAfterSeconds);
    } finally {
      await strict.close();
    }
  });
});
