import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken, plantMeters } from '../../../test/usage/usage-world.ts';
import { INSTALLATION, OPERATOR_COMMAND } from '../../audit/index.ts';
import { hashToken, newToken } from '../../security/index.ts';
import { createOperatorToken } from './create-operator-token.ts';
import { listOperatorTokens, revokeOperatorToken } from './manage-operator-tokens.ts';

const COMMAND = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };
const it = createTest({ environment: 'sandbox' });
it.beforeAll(async ({ app }) => {
  await plantMeters(app, { ai_tokens: 'sum' });
});

/** Reports usage of an unknown organization: a caller with access gets not_found. */
async function outcomeOf(app: TestApp, token: string): Promise<unknown[]> {
  const { status, body } = await app.api.post('/v1/operator/usage', token, {
    organization_id: 'org_nothing',
    meter: 'ai_tokens',
    value: 1,
    at: new Date().toISOString(),
  });
  return [status, body.error.code];
}

const ACCEPTED = [404, 'not_found'];
const INVALID = [401, 'invalid_token'];

describe('an operator token', () => {
  it('is accepted, and stored only as its hash', async ({ app }) => {
    const { token, ...shown } = await makeOperatorToken(app);
    expect(shown).toEqual({
      id: expect.stringMatching(/^optok_/),
      name: 'metering',
      role: 'owner',
      prefix: token.slice(0, 12),
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      created_by: null,
      expires_at: null,
      revoked_at: null,
      revoked_because: null,
      last_used_at: null,
    });
    expect(token).toMatch(/^svc_opt_[0-9A-Za-z]{42}$/);
    expect(await outcomeOf(app, token)).toEqual(ACCEPTED);
    const rows = await execute(app.database, 'select id from operator_tokens where token_hash = $1', [
      hashToken(token),
    ]);
    expect(rows).toEqual([{ id: shown.id }]);
  });

  it('is refused from the next request on once it is revoked, which affects no other token', async ({ app }) => {
    const { token, id } = await makeOperatorToken(app);
    const other = await makeOperatorToken(app);
    const revoked = await revokeOperatorToken(app.database, COMMAND, id);
    expect(revoked).toMatchObject({ status: 'revoked', revoked_because: 'command' });
    expect(await revokeOperatorToken(app.database, COMMAND, id)).toEqual(revoked);
    expect([await outcomeOf(app, token), await outcomeOf(app, other.token)]).toEqual([INVALID, ACCEPTED]);
    await expect(revokeOperatorToken(app.database, COMMAND, 'optok_nothing')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('reports that it has expired, and cannot be created expired or without a name', async ({ app }) => {
    const { token, id } = await makeOperatorToken(app, new Date(Date.now() + 3_600_000));
    expect(await outcomeOf(app, token)).toEqual(ACCEPTED);
    await execute(app.database, 'update operator_tokens set expires_at = created_at where id = $1', [id]);
    expect(await outcomeOf(app, token)).toEqual([401, 'token_expired']);
    for (const terms of [
      { name: 'late', expiresAt: new Date(Date.now() - 1).toISOString() },
      { name: '  ', expiresAt: null },
      { name: 'x'.repeat(101), expiresAt: null },
    ]) {
      await expect(createOperatorToken(app.database, COMMAND, { role: 'owner', ...terms })).rejects.toMatchObject({
        code: 'validation_failed',
      });
    }
  });

  it('is unknown in the other environment, and so is a made-up one', async ({ app }) => {
    const production = await startAppForTest();
    const { token } = await makeOperatorToken(app);
    expect(await outcomeOf(production, token)).toEqual(INVALID);
    expect(await outcomeOf(app, newToken('svc_opt_'))).toEqual(INVALID);
    expect(await outcomeOf(app, `${token.slice(0, -1)}!`)).toEqual(INVALID);
    expect(await outcomeOf(app, `${token}x`)).toEqual(INVALID);
  });

  it('records its use once a minute, not at each request', async ({ app }) => {
    const { token, id } = await makeOperatorToken(app);
    const lastUse = async () =>
      (await listOperatorTokens(app.database)).find((each) => each.id === id)?.last_used_at ?? null;
    await outcomeOf(app, token);
    const first = await lastUse();
    expect(first).not.toBeNull();
    await outcomeOf(app, token);
    expect(await lastUse()).toBe(first);
    await execute(
      app.database,
      `update operator_tokens set last_used_at = last_used_at - interval '61 seconds' where id = $1`,
      [id],
    );
    await outcomeOf(app, token);
    expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });

  it('acts in no organization unless it names one: all organization routes refuse it', async ({ app, ada }) => {
    const { token } = await makeOperatorToken(app);
    let asked = 0;
    for (const route of app.service.routes.filter(({ access }) => access.kind === 'token')) {
      const path = route.path
        .replace('{organization_id}', ada.organizationId)
        .replace('{user_id}', ada.userId)
        .replaceAll(/\{\w+\}/g, 'nothing');
      const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: {} };
      const answer = await app.api.call(route.method, path, { token, ...body });
      asked += 1;
      expect([route.path, answer.status, answer.body.error.code]).toEqual([
        route.path,
        403,
        expect.stringMatching(/^(insufficient_scope|forbidden)$/),
      ]);
    }
    expect(asked).toBeGreaterThan(50);
  });

  it('has its own rate limit, as high as that of an enterprise', async () => {
    const limited = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const [first, second] = [await makeOperatorToken(limited), await makeOperatorToken(limited)];
    const remaining = async (token: string) => {
      const { headers } = await limited.api.post('/v1/operator/usage', token, {});
      return [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')].map(Number);
    };
    const [limit = 0, before = 0] = await remaining(first.token);
    expect(limit).toBeGreaterThan((await remaining('svc_opt_nothing'))[0] ?? 0);
    expect([await remaining(first.token), await remaining(second.token)]).toEqual([
      [limit, before - 1],
      [limit, before],
    ]);
  });
});

describe('an operator token sent unencrypted', () => {
  let token: string;
  let id: string;
  it.beforeEach(async ({ app }) => {
    ({ token, id } = await makeOperatorToken(app));
  });

  it('is revoked, which the list and the log show', async ({ app }) => {
    const proxied = await startAppForTest({
      beside: app,
      environment: 'sandbox',
      settings: { SEATHOLD_TRUST_PROXY: '127.0.0.1/32' },
    });
    const answer = await proxied.api.get('/v1/usage', token, { 'x-forwarded-proto': 'http' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'https_required']);
    expect(answer.body.error.message).toContain('has been revoked');
    expect(await outcomeOf(app, token)).toEqual(INVALID);
    const listed = (await listOperatorTokens(app.database)).find((each) => each.id === id);
    expect(listed).toMatchObject({ status: 'revoked', revoked_because: 'leak' });
    expect(proxied.logLines.join('')).toContain(id);
    const again = await proxied.api.get('/v1/usage', token, { 'x-forwarded-proto': 'http' });
    expect(again.body.error.message).not.toContain('has been revoked');
  });
});
