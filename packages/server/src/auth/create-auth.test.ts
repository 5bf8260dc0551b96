import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import { systemClock } from '../clock/index.ts';
import { createOutbox } from '../events/index.ts';
import { createLogger } from '../log/index.ts';
import { Mailer } from '../mail/index.ts';
import { CONNECTED_APPS } from '../oauth/index.ts';
import { newToken } from '../security/index.ts';
import { type Auth, createAuth } from './index.ts';

let test: TestApp;
let auth: Auth;

beforeAll(async () => {
  test = await openTestApp();
  auth = createAuth({
    database: test.database,
    masterKey: test.masterKey,
    outbox: createOutbox([]),
    mailer: new Mailer(test.masterKey),
    baseUrl: 'https://api.test',
    authUrl: 'https://api.test/oauth',
    log: createLogger('silent'),
    clock: systemClock,
    config: {
      accessTokenTtlSeconds: 3600,
      refreshTokenTtlSeconds: 86_400,
      retentionTokensDays: 30,
      retentionUnverifiedUsersDays: 30,
      retentionSandboxOrganizationsDays: 90,
      brand: { name: 'Seathold', logoUrl: '', color: '#1d4ed8', supportEmail: '' },
      argon2: { memoryKib: 1024, passes: 1, lanes: 1 },
    },
    apiTokenPrefix: 'svc_live_',
    connectedApps: CONNECTED_APPS,
  });
});
afterAll(() => test.close());

const statusOf = async (token: string) => (await test.api.get('/v1/me', token)).status;

const createToken = async (owner: Member): Promise<string> => {
  const input = { name: 'ci', scopes: ['read:profile'], expires_at: null };
  return (await test.api.post('/v1/api-tokens', owner.accessToken, input)).body.data.token;
};

describe('what other rooms may ask', () => {
  it('registers a user with an organization of any name, and gives them an API token, in one transaction', async () => {
    const { account, token } = await test.database.transaction(async (tx) => {
      const account = await auth.registerUser(tx, {
        email: 'Demo@Example.com',
        password: 'only for showing around',
        name: 'Demo',
        organizationName: 'Demonstration Ltd',
      });
      const owner = { userId: account.user.id, organizationId: account.membership.organization_id };
      const input = { name: 'Demo', scopes: ['read:profile' as const], expires_at: null };
      return { account, token: await auth.createApiToken(tx, owner, input) };
    });
    expect(account.user.email).toBe('demo@example.com');
    const me = await test.api.get('/v1/me', token.token);
    expect(me.body.data.organization).toMatchObject({ name: 'Demonstration Ltd', role: 'admin' });
    const credentials = { email: 'demo@example.com', password: 'only for showing around' };
    expect((await test.api.post('/v1/auth/login', undefined, credentials)).status).toBe(200);
  });
});

describe('revokeLeaked', () => {
  it('ends the whole login of an access token', async () => {
    const ada = await test.register();
    await auth.tokens.revokeLeaked(ada.accessToken);
    expect(await statusOf(ada.accessToken)).toBe(401);
    const answer = await test.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken });
    expect(answer.status).toBe(401);
  });

  it('ends the whole login of a refresh token', async () => {
    const ada = await test.register();
    await auth.tokens.revokeLeaked(ada.refreshToken);
    expect(await statusOf(ada.accessToken)).toBe(401);
  });

  it('ends an API token alone, as often as it is seen', async () => {
    const ada = await test.register();
    const [leaked, kept] = [await createToken(ada), await createToken(ada)];
    await auth.tokens.revokeLeaked(leaked);
    await auth.tokens.revokeLeaked(leaked);
    expect(await statusOf(leaked)).toBe(401);
    expect(await statusOf(kept)).toBe(200);
    expect(await statusOf(ada.accessToken)).toBe(200);
    expect((await test.api.get('/v1/api-tokens', ada.accessToken)).body.data).toHaveLength(1);
  });

  it('does nothing with what is no token of ours', async () => {
    await auth.tokens.revokeLeaked('nonsense');
    await auth.tokens.revokeLeaked(newToken('svc_live_'));
  });
});

describe('expired session tokens', () => {
  const moveExpiry = (userId: string, age: string) =>
    execute(
      test.database,
      `update bearer_tokens set expires_at = clock_timestamp() - $2::interval where user_id = $1`,
      [userId, age],
    );

  it('are token_expired for 30 days and forgotten after', async () => {
    const ada = await test.register();
    await moveExpiry(ada.userId, '29 days');
    await test.runJobs();
    expect((await test.api.get('/v1/me', ada.accessToken)).body.error.code).toBe('token_expired');
    await moveExpiry(ada.userId, '31 days');
    await test.runJobs();
    expect((await test.api.get('/v1/me', ada.accessToken)).body.error.code).toBe('invalid_token');
  });

  it('go with their login and its refresh tokens, and take nobody else along', async () => {
    const [ada, grace] = [await test.register(), await test.register()];
    await execute(
      test.database,
      `update login_sessions set ends_at = clock_timestamp() - interval '31 days' where user_id = $1`,
      [ada.userId],
    );
    await test.runJobs();
    const left = await execute<{ user_id: string }>(
      test.database,
      'select user_id from refresh_tokens where user_id in ($1, $2)',
      [ada.userId, grace.userId],
    );
    expect(left).toEqual([{ user_id: grace.userId }]);
  });
});
