import { describe, expect } from 'vitest';
import { execute } from '../../server/test/harness/index.ts';
import { type Defect, type ProxiedResponse, startBrokenProxy } from './broken-proxy.ts';
import { createCliTest, type Result } from './cli-world.ts';

const ALL_SCOPES = [
  ...['read:profile', 'write:profile', 'read:projects', 'write:projects'],
  ...['read:org', 'admin:org', 'read:licenses', 'manage:licenses'],
];

/** A public address, so no name has to be resolved. Nothing is ever sent there. */
const WEBHOOK_URL = 'https://93.184.215.14/seathold-conformance';

const it = createCliTest({ environment: 'sandbox' })
  .extend('createToken', { scope: 'file' }, ({ app, admin }) => async (scopes: readonly string[]): Promise<string> => {
    const body = { name: 'conformance', scopes, expires_at: null };
    return (await app.api.post('/v1/api-tokens', admin.accessToken, body)).body.data.token;
  })
  .extend('token', { scope: 'file' }, async ({ app, admin, createToken }) => {
    await app.issueLicense(admin.organizationId, { maxSeats: 2 });
    return createToken(ALL_SCOPES);
  })
  /** Runs the checks of the named groups, or of all. */
  .extend(
    'check',
    ({ world, token }) =>
      (groups: readonly string[] = [], url = world.baseUrl, secret: string | undefined = token): Promise<Result> =>
        world.run(
          [
            ...['conformance', '--url', url, '--webhook-url', WEBHOOK_URL],
            ...groups.flatMap((name) => ['--group', name]),
          ],
          { env: secret === '' ? {} : { SEATHOLD_TOKEN: secret } },
        ),
  )
  /** The same through a proxy that breaks something. */
  .extend('checkBroken', ({ world, check }) => async (groups: readonly string[], defect: Defect): Promise<Result> => {
    const proxy = await startBrokenProxy(world, defect);
    const result = await check(groups, proxy.url);
    proxy.close();
    return result;
  });

const linesOf = ({ stdout }: Result, mark: string) => stdout.split('\n').filter((line) => line.startsWith(`  ${mark}`));

describe('seathold conformance', () => {
  it('passes against our own service, cleans up, and never prints the token', async ({ app, admin, check, token }) => {
    const result = await check();
    expect(linesOf(result, 'FAIL').map((line) => `${line}\n${result.stdout}`)).toEqual([]);
    expect(result.code).toBe(0);
    // In tests the authorization server has another address. In the smoke test it has the same one.
    expect(result.stdout.match(/left out: .*/g)).toEqual([
      ...Array.from({ length: 3 }, () => 'left out: the authorization server is at api.test'),
      'left out: needs a receiver: see `seathold webhooks listen` and `seathold webhooks verify`',
    ]);
    expect(result.stdout).toMatch(/\d\d hold, 0 fail, 4 left out\.\n$/);
    expect(result.stdout + result.stderr).not.toContain(token);
    for (const path of ['/v1/projects', '/v1/webhooks']) {
      expect((await app.api.get(path, admin.accessToken)).body.data).toEqual([]);
    }
    expect((await app.api.get('/v1/licenses', admin.accessToken)).body.data[0].active_seats).toBe(0);
    expect(await execute(app.database, 'select 1 from webhook_queue')).toEqual([]);
    // The service revokes a token that arrives unencrypted.
    expect((await app.api.get('/v1/me', token)).status).toBe(200);
  });

  it("skips checks that the token's scopes do not allow, and names the missing scope", async ({
    check,
    createToken,
  }) => {
    const result = await check(['projects', 'licenses', 'webhooks'], undefined, await createToken(['read:licenses']));
    expect(result.code).toBe(0);
    for (const scope of ['write:projects', 'manage:licenses', 'admin:org']) {
      expect(result.stdout).toContain(`left out: needs scope ${scope}`);
    }
    expect(linesOf(result, 'ok')).toContain('  ok   lists licenses with their seats');
  });

  it('leaves out what needs an API token if the token is that of a login, and creates none', async ({
    app,
    admin,
    check,
  }) => {
    const listTokens = async () => (await app.api.get('/v1/api-tokens', admin.accessToken)).body.data;
    const before = await listTokens();
    const result = await check(['access'], undefined, admin.accessToken);
    expect([result.code, linesOf(result, 'FAIL')]).toEqual([0, []]);
    expect(result.stdout).toContain('left out: needs an API token');
    expect(await listTokens()).toEqual(before);
  });

  it('checks public endpoints without a token, and can print JSON', async ({ world }) => {
    const words = ['conformance', '--url', world.baseUrl, '--group', 'plans', '--group', 'access', '--json'];
    const { code, stdout } = await world.run(words);
    expect(code).toBe(0);
    const { groups, ...totals } = JSON.parse(stdout);
    expect(totals).toEqual({ url: world.baseUrl, held: 5, failed: 0, left_out: 5 });
    expect(groups.map(({ key }: { key: string }) => key)).toEqual(['access', 'plans']);
    expect(groups[0].checks[0]).toEqual({
      name: 'shows the user of the token, at both paths',
      outcome: 'left_out',
      message: 'needs a token',
    });
  });

  it('takes the token from standard input or an argument, and a production token only with an explicit option', async ({
    world,
    token,
  }) => {
    const words = ['conformance', '--url', world.baseUrl, '--group', 'access'];
    const fromInput = await world.run([...words, '--token-stdin'], { stdin: `${token}\n` });
    expect([fromInput.code, linesOf(fromInput, 'ok').length]).toEqual([0, 6]);
    const fromWord = await world.run([...words, '--token', token]);
    expect([fromWord.code, linesOf(fromWord, 'ok').length]).toEqual([0, 6]);
    const live = await world.run([...words, '--token', `svc_live_${'a'.repeat(42)}`]);
    expect([live.code, live.stderr]).toEqual([2, expect.stringContaining('--live')]);
  });

  it('exits with 2 for a wrong option, 3 for a token that the service refuses, and 7 for a service that is down', async ({
    world,
    check,
  }) => {
    const unknown = await check(['painting']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('There is no group painting')]);
    const plain = await world.run(['conformance', '--url', 'http://localhost:1']);
    expect(plain.code).toBe(2);
    const refused = await check(['plans'], undefined, `svc_test_${'a'.repeat(42)}`);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('does not accept the token')]);
    const away = await check(['plans'], 'https://localhost:1');
    expect(away.code).toBe(7);
  });
});

/** Changes the JSON of a response. */
function change(given: ProxiedResponse, edit: (body: Record<string, unknown>) => unknown): void {
  given.text = JSON.stringify(edit(JSON.parse(given.text)));
}

const DEFECTS: ReadonlyArray<[name: string, groups: readonly string[], line: RegExp, defect: Defect]> = [
  ['a proxy that speaks only HTTP/1.1', ['transport'], /GET \/v1\/plans over HTTP\/2: \w+/, {}],
  [
    'a header missing from errors',
    ['errors', 'every-answer'],
    /has an X-Request-Id, the same as meta\.request_id\n\s+GET \/v1\/no-such-thing \(status 404\): X-Request-Id is missing/,
    { after: (given, { url }) => void (url === '/v1/no-such-thing' && delete given.headers['x-request-id']) },
  ],
  [
    'an authenticated response that caches may store',
    ['access', 'every-answer'],
    /is never cached: Cache-Control no-store\n\s+GET \/v1\/me \(status 200\): Cache-Control is public/,
    {
      after: (given, { url }) => {
        given.headers['cache-control'] = url === '/v1/me' ? 'public' : given.headers['cache-control'];
      },
    },
  ],
  [
    'another envelope',
    ['plans'],
    /GET \/v1\/plans\?limit=100: the body has no data \(req_/,
    {
      after: (given, { url }) => {
        if (url.startsWith('/v1/plans') && given.text !== '') {
          change(given, ({ data: result, ...more }) => ({ ...more, result }));
        }
      },
    },
  ],
  [
    'another status',
    ['projects'],
    /POST \/v1\/projects: the status is 200, expected 201/,
    {
      after: (given) => {
        given.status = given.status === 201 ? 200 : given.status;
      },
    },
  ],
  [
    'a license token with a wrong signature',
    ['license-tokens'],
    /the signature of license_token is wrong/,
    {
      after: (given) => {
        given.text = given.text.replace(/("license_token":"[^".]+\.[^".]+\.)(.)/, (_, before, first) => {
          return `${before}${first === 'A' ? 'B' : 'A'}`;
        });
      },
    },
  ],
  [
    'a token that lives longer than the response says',
    ['license-tokens'],
    /exp is \d+, but expires_at is \d+/,
    {
      after: (given, { url }) => {
        if (url.endsWith('/acquire')) {
          given.text = given.text.replace(/"expires_at":"[^"]+"/, '"expires_at":"2030-01-01T00:00:00.000Z"');
        }
      },
    },
  ],
  [
    'a list that ignores its cursor',
    ['lists'],
    /pages of one item do not add up to the full list/,
    {
      before: (passed) => {
        passed.url = passed.url.replace(/&cursor=[^&]*/, '');
      },
    },
  ],
  [
    'an idempotency key that has no effect',
    ['idempotency'],
    /Idempotency-Replayed is missing|the status is 409 already_exists, expected 201/,
    { before: (passed) => void delete passed.headers['idempotency-key'] },
  ],
  [
    'a body that does not match the document',
    ['documents'],
    /GET \/v1\/plans answers 200 with a body that does not match its description: \/data\/0 must have required properties/,
    {
      after: (given, { url }) => {
        if (url === '/v1/plans') {
          given.text = given.text.replaceAll('"currency"', '"coin"');
        }
      },
    },
  ],
  [
    'a route that no longer needs a token',
    ['documents'],
    /GET \/v1\/usage: the status is 200 invalid_token, expected 401/,
    {
      after: (given, { url }) => {
        given.status = url === '/v1/usage' && given.status === 401 ? 200 : given.status;
      },
    },
  ],
  [
    'an object that cannot be removed',
    ['projects'],
    /DELETE \/v1\/projects\/proj_\w+ answered 500: remove it by hand/,
    {
      after: (given, { method }) => {
        given.status = method === 'DELETE' ? 500 : given.status;
      },
    },
  ],
];

describe('seathold conformance against a service with a defect', () => {
  it.for(DEFECTS)('fails with a clear line for %s', async ([, groups, line, defect], { checkBroken, token }) => {
    const result = await checkBroken(groups, defect);
    expect(result.stdout).toMatch(line);
    expect(result.code).toBe(1);
    expect(linesOf(result, 'FAIL').length).toBeGreaterThan(0);
    expect(result.stdout + result.stderr).not.toContain(token);
  });

  it('hides the token even when the service returns it', async ({ checkBroken, token }) => {
    const result = await checkBroken(['access'], {
      after: (given, { url }) => {
        if (url === '/v1/me') {
          given.text = given.text.replace(/"usr_\w+"/, JSON.stringify(token));
        }
      },
    });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('data.id is "[token]"');
    expect(result.stdout + result.stderr).not.toContain(token);
  });
});
