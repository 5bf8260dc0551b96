import { describe, expect } from 'vitest';
import { createApiToken } from '../../test/harness/create-api-token.ts';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../test/harness/index.ts';
import { systemClock } from '../clock/index.ts';
import { createOutbox } from '../events/index.ts';
import { createLogger } from '../log/index.ts';
import { Mailer } from '../mail/index.ts';
import { CONNECTED_APPS } from '../oauth/index.ts';
import { newToken } from '../security/index.ts';
import { createAuth } from './index.ts';

const it = createTest().extend('auth', { scope: 'file' }, ({ app }) =>
  createAuth({
    database: app.database,
    masterKey: app.masterKey,
    outbox: createOutbox([]),
    mailer: new Mailer(app.masterKey),
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
  }),
);

const statusOf = async (app: TestApp, token: string) => (await app.api.get('/v1/me', token)).status;

describe('auth, as used by other rooms,', () => {
  it('registers a user with an organization of any name, and gives them an API token, in one transaction', async ({
    app,
    auth,
  }) => {
    const { account, token } = await app.database.transaction(async (tx) => {
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
    const me = await app.api.get('/v1/me', token.token);
    expect(me.body.data.organization).toMatchObject({ name: 'Demonstration Ltd', role: 'admin' });
    const credentials = { email: 'demo@example.com', password: 'only for showing around' };
    expect((await app.api.post('/v1/auth/login', undefined, credentials)).status).toBe(200);
  });
});

describe('revokeLeaked', () => {
  it('ends the whole login of an access token', async ({ app, ada, auth }) => {
    await auth.tokens.revokeLeaked(ada.accessToken);
    expect(await statusOf(app, ada.accessToken)).toBe(401);
    const answer = await app.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken });
    expect(answer.status).toBe(401);
  });

  it('ends the whole login of a refresh token', async ({ app, ada, auth }) => {
    await auth.tokens.revokeLeaked(ada.refreshToken);
    expect(await statusOf(app, ada.accessToken)).toBe(401);
  });

  it('ends only the API token itself, however often it is reported', async ({ app, ada, auth }) => {
    const [leaked, kept] = [
      await createApiToken(app, ada, ['read:profile']),
      await createApiToken(app, ada, ['read:profile']),
    ];
    await auth.tokens.revokeLeaked(leaked);
    await auth.tokens.revokeLeaked(leaked);
    expect(await statusOf(app, leaked)).toBe(401);
    expect(await statusOf(app, kept)).toBe(200);
    expect(await statusOf(app, ada.accessToken)).toBe(200);
    expect((await app.api.get('/v1/api-tokens', ada.accessToken)).body.data).toHaveLength(1);
  });

  it('ignores tokens of other services', async ({ auth }) => {
    await auth.tokens.revokeLeaked('nonsense');
    await auth.tokens.revokeLeaked(newToken('svc_live_'));
  });
});

describe('expired session tokens', () => {
  const moveExpiry = (app: TestApp, userId: string, age: string) =>
    execute(app.database, `update bearer_tokens set expires_at = clock_timestamp() - $2::interval where user_id = $1`, [
      userId,
      age,
    ]);

  it('are refused with token_expired for 30 days, and then deleted', async ({ app, ada }) => {
    await moveExpiry(app, ada.userId, '29 days');
    await app.runJobs();
    expect((await app.api.get('/v1/me', ada.accessToken)).body.error.code).toBe('token_expired');
    await moveExpiry(app, ada.userId, '31 days');
    await app.runJobs();
    expect((await app.api.get('/v1/me', ada.accessToken)).body.error.code).toBe('invalid_token');
  });

  it('are deleted with their login session and its refresh tokens, and with no others', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await execute(
      app.database,
      `update login_sessions set ends_at = clock_timestamp() - interval '31 days' where user_id = $1`,
      [ada.userId],
    );
    await app.runJobs();
    const left = await execute<{ user_id: string }>(
      app.database,
      'select user_id from refresh_tokens where user_id in ($1, $2)',
      [ada.userId, grace.userId],
    );
    expect(left).toEqual([{ user_id: grace.userId }]);
  });
});
