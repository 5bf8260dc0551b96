import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { plantGrant } from '../../../test/harness/plant-grant.ts';
import { MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ clock });

const NEW_PASSWORD = 'a loom that weaves algebra';
const TOKEN = { name: 'Back door', scopes: ['read:profile', 'admin:org'], expires_at: null };
const APP = {
  name: 'Back door',
  redirect_uris: ['https://app.example/back'],
  scopes: ['read:profile'],
  confidential: true,
};

/** Registers an address and creates every kind of access that outlives the account's password. */
async function registerAndHold(app: TestApp) {
  const member = await registerWithTwoFactor(app, clock);
  const call = (method: string, path: string, body: unknown) =>
    app.api.call(method, path, { token: member.accessToken, body });
  const { data: token } = (await call('POST', '/v1/api-tokens', TOKEN)).body;
  const { data: another } = (await call('POST', '/v1/orgs', { name: 'Another' })).body;
  const elsewhere = await app.api.call('POST', '/v1/api-tokens', {
    token: member.accessToken,
    body: TOKEN,
    headers: { 'x-organization-id': another.id },
  });
  const { data: target } = (await call('POST', '/v1/oauth-apps', APP)).body;
  return { member, tokens: [token, elsewhere.body.data], app: target, anotherOrganizationId: another.id };
}

/** Does what anyone who can read an address's mails can do. */
async function resetByMail(app: TestApp, { email }: Member): Promise<void> {
  await app.api.post('/v1/auth/password/forgot', undefined, { email });
  await app.runJobs();
  const mail = (await app.mailsTo(email)).findLast((each) => each.kind === 'reset-password');
  const body = { token: mail?.code, password: NEW_PASSWORD };
  expect((await app.api.post('/v1/auth/password/reset', undefined, body)).status).toBe(200);
}

const logIn = (app: TestApp, { email }: Member) =>
  app.api.post('/v1/auth/login', undefined, { email, password: NEW_PASSWORD });

const resetMailText = async (app: TestApp, { email }: Member) =>
  JSON.stringify((await app.mailsTo(email)).filter((each) => each.kind === 'password-reset'));

const actionsIn = async (app: TestApp, organizationId: string) =>
  (
    await execute<{ action: string; target_id: string; credential_kind: string }>(
      app.database,
      `select action, target_id, credential_kind from audit_entries where organization_id = $1
        and action in ('password.reset', 'two_factor.disabled', 'api_token.revoked', 'oauth_app.deleted') order by id`,
      [organizationId],
    )
  ).map(({ action, target_id: target }) => [action, target]);

describe('a reset of an unverified address', () => {
  it('removes the API tokens in all organizations and the apps of the user who registered it', async ({
    app,
    second,
  }) => {
    const { member, tokens, app: target, anotherOrganizationId } = await registerAndHold(app);
    const user = await app.register();
    const secretOfApp = `select 1 from oauth_client_secrets where app_id = $1 and (expires_at is null or expires_at > clock_timestamp())`;
    expect(await execute(app.database, secretOfApp, [target.id])).toHaveLength(1);
    const grant = await plantGrant(app, user);
    await execute(app.database, 'update oauth_grants set app_id = $2 where id = $1', [grant.id, target.id]);
    for (const { token } of tokens) {
      expect((await second.api.get('/v1/me', token)).status).toBe(200);
    }

    await resetByMail(app, member);

    for (const { token } of tokens) {
      expect((await second.api.get('/v1/me', token)).body.error.code).toBe('invalid_token');
    }
    expect(
      await execute(app.database, 'select 1 from oauth_apps where id = $1 and deleted_at is null', [target.id]),
    ).toEqual([]);
    expect(await execute(app.database, secretOfApp, [target.id])).toEqual([]);
    expect((await second.api.get('/v1/me', grant.accessToken)).body.error.code).toBe('invalid_token');
    expect(await actionsIn(app, member.organizationId)).toEqual([
      ['password.reset', member.userId],
      ['api_token.revoked', tokens[0].id],
      ['oauth_app.deleted', target.id],
    ]);
    expect(await actionsIn(app, anotherOrganizationId)).toEqual([
      ['password.reset', member.userId],
      ['api_token.revoked', tokens[1].id],
    ]);
    expect(await resetMailText(app, member)).toMatch(
      /revoked all API tokens.*deleted all OAuth apps.*Two-factor authentication is unchanged/,
    );
  });

  it('keeps the second factor: the mailbox alone does not give access to such an account', async ({ app }) => {
    const { member } = await registerAndHold(app);
    await resetByMail(app, member);

    expect((await logIn(app, member)).body.data).toMatchObject({ requires_2fa: true });
  });

  it('happens once: the account is then verified, and the next reset removes nothing', async ({ app }) => {
    const member = await app.register();
    await resetByMail(app, member);
    const session = (await logIn(app, member)).body.data.access_token;
    const { token } = (await app.api.post('/v1/api-tokens', session, TOKEN)).body.data;
    await resetByMail(app, member);
    expect((await app.api.get('/v1/me', token)).status).toBe(200);
  });
});

describe('a reset of a verified address', () => {
  it('removes neither the second factor nor API tokens nor apps', async ({ app }) => {
    const { member, tokens, app: target } = await registerAndHold(app);
    const verification = (await app.mailsTo(member.email)).findLast((each) => each.kind === 'verify-email');
    await app.api.post('/v1/auth/email/verify', undefined, { token: verification?.code });
    await resetByMail(app, member);
    expect((await logIn(app, member)).body.data).toMatchObject({ requires_2fa: true });
    for (const { token } of tokens) {
      expect((await app.api.get('/v1/me', token)).status).toBe(200);
    }
    const live = 'select 1 from oauth_apps where id = $1 and deleted_at is null';
    expect(await execute(app.database, live, [target.id])).toHaveLength(1);
    expect(await resetMailText(app, member)).toContain('API tokens keep working');
  });
});

/** Waits until a transaction is blocked on a row that another has locked. */
const untilBlocked = async (second: TestApp) => {
  const waiting = `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await execute(second.database, waiting)).length === 0) {
    // Poll again.
  }
};

describe('while a login ends', () => {
  it.for([
    ['/v1/api-tokens', TOKEN],
    ['/v1/oauth-apps', APP],
  ] as const)(
    '401: a request in flight creates nothing that outlives the login: %s',
    async ([path, body], { app, second }) => {
      const member = await app.register();
      const making = await second.database.transaction(async (tx) => {
        const end = 'update login_sessions set ended_at = clock_timestamp() where user_id = $1';
        await execute(tx, end, [member.userId]);
        const answer = app.api.post(path, member.accessToken, body);
        await untilBlocked(second);
        return { answer };
      });
      const { status, body: answered } = await making.answer;
      expect([status, answered.error?.code]).toEqual([401, 'invalid_token']);
    },
  );
});
