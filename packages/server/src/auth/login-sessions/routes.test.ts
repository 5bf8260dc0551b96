import { hash } from '@node-rs/argon2';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';

let unique = 0;

const PASSWORD = 'an engine that weaves patterns';

function person(changes: Record<string, unknown> = {}) {
  unique += 1;
  return { email: `person${unique}@example.com`, password: PASSWORD, name: 'Ada Lovelace', ...changes };
}

const register = (app: TestApp, body: unknown) => app.api.post('/v1/auth/register', undefined, body);
const logIn = (app: TestApp, email: string, password: string) =>
  app.api.post('/v1/auth/login', undefined, { email, password });

describe('POST /v1/auth/register', () => {
  it('201: creates the user and an organization with the user as its admin, and logs them in', async ({ app }) => {
    const answer = await register(app, person({ email: ' New.Person@Example.com ', name: ' Ada Lovelace ' }));
    expect(answer.status).toBe(201);
    expect(answer.body.data.user).toMatchObject({ email: 'new.person@example.com', name: 'Ada Lovelace' });
    const me = await app.api.get('/v1/me', answer.body.data.access_token);
    expect(me.body.data).toMatchObject({
      id: answer.body.data.user.id,
      avatar_url: 'https://api.test/avatar.svg',
      organization: { name: 'Ada Lovelace', role: 'admin' },
    });
  });

  it('gives organizations with the same name different slugs', async ({ app }) => {
    await register(app, person({ name: 'Twin' }));
    await register(app, person({ name: 'Twin' }));
    const rows = await execute<{ slug: string }>(app.database, `select slug from organizations where name = 'Twin'`);
    expect(rows.map((row) => row.slug).sort()).toEqual(['twin', expect.stringMatching(/^twin-[0-9a-z]{6}$/)]);
  });

  it.for([
    [{ email: undefined }, 'email', 'required'],
    [{ email: 5 }, 'email', 'type'],
    [{ email: 'nobody' }, 'email', 'format'],
    [{ email: `${'a'.repeat(400)}@example.com` }, 'email', 'length'],
    [{ password: 'too short' }, 'password', 'length'],
    [{ password: 'x'.repeat(257) }, 'password', 'length'],
    [{ name: '' }, 'name', 'length'],
    [{ name: ' \u00a0 ' }, 'name', 'format'],
    [{ name: 'two\nlines' }, 'name', 'format'],
    [{ name: 'x'.repeat(101) }, 'name', 'length'],
    [{ role: 'admin' }, 'role', 'unknown'],
  ] as const)('400: %j', async ([changes, field, reason], { app }) => {
    const answer = await register(app, person(changes));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it.for([
    [{ password: 'Password123' }, 'common'],
    [{ password: 'Grace Hopper', name: 'Grace Hopper' }, 'personal'],
  ] as const)('422: refuses a guessable password: %j', async ([changes, reason], { app }) => {
    const answer = await register(app, person(changes));
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details: { field: 'password', reason } });
  });

  it('409: an address can be registered only once, in any case and by simultaneous requests', async ({ app }) => {
    const { email } = person();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        register(app, person({ email: index % 2 === 0 ? email : email.toUpperCase() })),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const refused = answers.find((answer) => answer.status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'already_exists', details: { field: 'email' } });
  });
});

describe('POST /v1/auth/login', () => {
  it('200: returns the user and tokens that work, whatever the case of the address', async ({ app }) => {
    const { email, password, userId } = await app.register();
    const answer = await logIn(app, ` ${email.toUpperCase()}`, password);
    expect(answer.status).toBe(200);
    expect(answer.body.data.user.id).toBe(userId);
    expect((await app.api.get('/v1/auth/me', answer.body.data.access_token)).status).toBe(200);
  });

  it('401: an unknown address, a wrong password and no address at all get the same answer', async ({ app }) => {
    const { email } = await app.register();
    const answers = [
      await logIn(app, email, 'wrong'),
      await logIn(app, 'nobody@example.com', PASSWORD),
      await logIn(app, '?', '?'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.error))).size).toBe(1);
    expect(answers[0]?.body.error.code).toBe('invalid_credentials');
  });

  it('400: a body without a password', async ({ app }) => {
    const answer = await app.api.post('/v1/auth/login', undefined, { email: 'ada@example.com' });
    expect(answer.body.error.details).toEqual({ field: 'password', reason: 'required' });
  });

  it('rehashes a password that was hashed with other parameters', async ({ app }) => {
    const { email, password, userId } = await app.register();
    const old = await hash(password, { memoryCost: 2048, timeCost: 1, parallelism: 1 });
    await execute(app.database, 'update users set password_hash = $2 where id = $1', [userId, old]);
    expect((await logIn(app, email, password)).status).toBe(200);
    const [user] = await execute<{ password_hash: string }>(
      app.database,
      'select password_hash from users where id = $1',
      [userId],
    );
    expect(user?.password_hash).toContain('$m=1024,t=1,p=1$');
    expect((await logIn(app, email, password)).status).toBe(200);
  });
});

describe('the lock after wrong passwords', () => {
  const fail = async (app: TestApp, email: string, times: number) => {
    for (let attempt = 0; attempt < times; attempt += 1) {
      expect((await logIn(app, email, 'wrong')).status).toBe(401);
    }
  };

  it('refuses the right password like a wrong one after ten wrong ones in a row, for 15 minutes', async ({ app }) => {
    const { email, password, accessToken } = await app.register();
    await fail(app, email, 10);
    const locked = await logIn(app, email, password);
    expect(locked.body.error).toEqual((await logIn(app, email, 'wrong')).body.error);
    expect((await app.api.get('/v1/me', accessToken)).status).toBe(200);
    const [user] = await execute<{ minutes: number }>(
      app.database,
      'select extract(epoch from locked_until - clock_timestamp())::float / 60 as minutes from users where email = $1',
      [email],
    );
    expect(user?.minutes).toBeGreaterThan(14.5);
    expect(user?.minutes).toBeLessThanOrEqual(15);
  });

  it('expires, and returns only after ten more failures', async ({ app }) => {
    const { email, password } = await app.register();
    await fail(app, email, 10);
    await execute(app.database, 'update users set locked_until = clock_timestamp() where email = $1', [email]);
    await fail(app, email, 9);
    expect((await logIn(app, email, password)).status).toBe(200);
  });

  it('counts only wrong passwords in a row', async ({ app }) => {
    const { email, password } = await app.register();
    await fail(app, email, 9);
    expect((await logIn(app, email, password)).status).toBe(200);
    await fail(app, email, 9);
    expect((await logIn(app, email, password)).status).toBe(200);
  });

  it('loses no count of simultaneous attempts', async ({ app }) => {
    const { email, password } = await app.register();
    await Promise.all(Array.from({ length: 10 }, () => logIn(app, email, 'wrong')));
    expect((await logIn(app, email, password)).status).toBe(401);
  });
});

describe('the limits of register and login', () => {
  it('429: after five registrations or ten logins a minute, even if the logins of one account come from many addresses', async () => {
    const limited = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const statuses = async (path: string, times: number, body: (index: number) => unknown) => {
      const answers = [];
      for (let index = 0; index < times; index += 1) {
        answers.push((await limited.api.post(path, undefined, body(index))).status);
      }
      return answers;
    };
    expect((await statuses('/v1/auth/register', 6, () => person())).at(-1)).toBe(429);
    const credentials = { email: 'Ada@example.com', password: 'wrong' };
    expect((await statuses('/v1/auth/login', 11, () => credentials)).slice(9)).toEqual([401, 429]);
    const answer = await limited.api.post('/v1/auth/login', undefined, credentials);
    expect(answer.headers.get('ratelimit-policy')).toContain('"login-account"');
  });
});

describe('GET /v1/me and GET /v1/auth/me', () => {
  it('200: return the same, for the organization that the request names', async ({ app, ada }) => {
    const grace = await app.register('Grace');
    await execute(
      app.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at) values ($1, $2, 'Test', 'billing', clock_timestamp())`,
      [grace.organizationId, ada.userId],
    );
    const elsewhere = { 'x-organization-id': grace.organizationId };
    const answers = await Promise.all(
      ['/v1/me', '/v1/auth/me'].map((path) => app.api.get(path, ada.accessToken, elsewhere)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(answers[0]?.body.data).toEqual(answers[1]?.body.data);
    expect(answers[0]?.body.data.organization).toEqual({ id: grace.organizationId, name: 'Grace', role: 'billing' });
  });

  it('returns the right user to each of many simultaneous requests', async ({ app }) => {
    const members = await Promise.all(Array.from({ length: 10 }, () => app.register()));
    const asked = Array.from({ length: 10 }, () => members).flat();
    const answers = await Promise.all(asked.map((member) => app.api.get('/v1/me', member.accessToken)));
    expect(answers.map((answer) => answer.body.data.id)).toEqual(asked.map((member) => member.userId));
  });

  it('404: someone else’s organization', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    const answer = await app.api.get('/v1/me', ada.accessToken, { 'x-organization-id': grace.organizationId });
    expect(answer.status).toBe(404);
    expect(answer.body.error.details).toEqual({ resource: 'organization' });
  });

  it('403: an API token without the scope read:profile', async ({ app }) => {
    const { accessToken } = await app.register();
    const input = { name: 'ci', scopes: ['read:licenses'], expires_at: null };
    const { token } = (await app.api.post('/v1/api-tokens', accessToken, input)).body.data;
    const answer = await app.api.get('/v1/me', token);
    expect(answer.status).toBe(403);
    expect(answer.body.error.details).toEqual({ required_scope: 'read:profile' });
  });

  it('401: without a token; 400: with a query parameter', async ({ app }) => {
    const answer = await app.api.get('/v1/me');
    expect(answer.status).toBe(401);
    expect(answer.body.error.code).toBe('invalid_token');
    const { accessToken } = await app.register();
    expect((await app.api.get('/v1/me?verbose=1', accessToken)).status).toBe(400);
  });
});

describe('POST /v1/auth/logout', () => {
  it('200: ends the access and refresh token of this session immediately, and no other session', async ({
    app,
    ada,
  }) => {
    const other = (await logIn(app, ada.email, ada.password)).body.data;
    const answer = await app.api.post('/v1/auth/logout', ada.accessToken, undefined);
    expect(answer.body.data).toEqual({ status: 'logged_out' });
    expect((await app.api.get('/v1/me', ada.accessToken)).body.error.code).toBe('invalid_token');
    const refreshed = await app.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken });
    expect(refreshed.body.error.code).toBe('invalid_token');
    expect((await app.api.get('/v1/me', other.access_token)).status).toBe(200);
  });

  it('401 without a token, 403 with an API token, 400 with a body', async ({ app }) => {
    const { accessToken } = await app.register();
    const input = { name: 'ci', scopes: ['read:profile'], expires_at: null };
    const { token } = (await app.api.post('/v1/api-tokens', accessToken, input)).body.data;
    const post = (bearer: string | undefined, body: unknown) => app.api.post('/v1/auth/logout', bearer, body);
    expect((await post(undefined, undefined)).status).toBe(401);
    expect((await post(token, undefined)).body.error.code).toBe('forbidden');
    expect((await post(accessToken, { everywhere: true })).status).toBe(400);
    expect((await app.api.get('/v1/me', accessToken)).status).toBe(200);
  });
});
