import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const it = createTest()
  .extend('owner', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token)
  .extend('support', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'support')).token);

const pathOf = ({ organizationId }: Member) => `/v1/operator/organizations/${organizationId}`;
const change = (app: TestApp, token: string, member: Member, body: object) =>
  app.api.call('PATCH', pathOf(member), { token, body });
const SUSPEND = { status: 'suspended', reason: 'Shares its keys' };

/** The error codes for a member of a suspended organization, or the statuses of allowed requests. */
async function answersTo(app: TestApp, token: string, routes: ReadonlyArray<readonly [string, string, unknown?]>) {
  const answers = [];
  for (const [method, path, body] of routes) {
    const answer = await app.api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    answers.push(answer.body?.error?.code ?? answer.status);
  }
  return answers;
}

describe('a suspended organization', () => {
  it('is refused at the next request on every process, except for paying, its profile and logging out', async ({
    app,
    second,
    owner,
    ada,
  }) => {
    const license = await app.issueLicense(ada.organizationId);
    const machine = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    const seat = await app.api.post('/v1/licenses/acquire', ada.accessToken, machine);
    const session = { session_id: seat.body.data.session_id };
    const token = await createApiToken(app, ada, ['read:projects', 'manage:licenses', 'read:org']);
    for (const process of [app, second]) {
      expect((await process.api.post('/v1/licenses/heartbeat', token, session)).status).toBe(200);
    }

    const suspended = await change(app, owner, ada, SUSPEND);
    expect(suspended.body.data).toMatchObject({ status: 'suspended', suspension_reason: 'Shares its keys' });

    const other = { ...machine, hardware_id: `hw_${'1'.repeat(32)}` };
    const refused = [
      ['GET', '/v1/projects'],
      ['GET', '/v1/usage'],
      ['GET', '/v1/licenses'],
      ['GET', '/v1/webhooks'],
      ['POST', '/v1/projects', { name: 'Film' }],
      ['POST', '/v1/licenses/acquire', other],
      ['POST', '/v1/licenses/heartbeat', session],
      ['POST', '/v1/licenses/release', session],
    ] as const;
    for (const process of [second, app]) {
      expect(await answersTo(process, ada.accessToken, refused)).toEqual(refused.map(() => 'organization_suspended'));
      const byToken = [refused[0], refused[5], refused[6], refused[7]] as const;
      expect(await answersTo(process, token, byToken)).toEqual(byToken.map(() => 'organization_suspended'));
    }
    const allowed = ['/v1/me', '/v1/auth/me', '/v1/subscriptions', '/v1/invoices', '/v1/payment-methods'];
    expect(
      await answersTo(
        app,
        ada.accessToken,
        allowed.map((path) => ['GET', path] as const),
      ),
    ).toEqual(allowed.map(() => 200));

    const headers = { 'x-organization-id': ada.organizationId };
    const shown = await app.api.get(`/v1/licenses/${license.id}`, owner, headers);
    expect(shown.body.data.status).toBe('active');

    expect((await change(app, owner, ada, { status: 'active' })).body.data).toMatchObject({
      status: 'active',
      suspended_at: null,
      suspension_reason: null,
    });
    expect((await second.api.post('/v1/licenses/heartbeat', token, session)).status).toBe(200);
    const events = (await app.api.get('/v1/events?type=org.suspended', ada.accessToken)).body.data;
    expect(events[0].data.object).toEqual({ organization_id: ada.organizationId, reason: 'Shares its keys' });
    const log = (await app.api.get('/v1/audit-log?limit=2', ada.accessToken)).body.data;
    expect(log.map((entry: { action: string }) => entry.action)).toEqual([
      'organization.reinstated',
      'organization.suspended',
    ]);
    expect(log[1]).toMatchObject({ actor: { type: 'operator_token' }, after: { reason: 'Shares its keys' } });
    await change(app, owner, ada, SUSPEND);
    expect((await app.api.post('/v1/auth/logout', ada.accessToken, {})).status).toBe(200);
  });
});

describe('PATCH /v1/operator/organizations/{id}', () => {
  it('stores support notes that the customer never sees, and lets only an owner suspend', async ({
    app,
    support,
    ada,
  }) => {
    const noted = { notes: 'Pays late', external_id: 'CRM-1', metadata: { region: 'emea' } };
    expect((await change(app, support, ada, noted)).body.data).toMatchObject({ status: 'active', ...noted });
    expect((await app.api.get(pathOf(ada), support)).body.data).toMatchObject(noted);
    expect((await change(app, support, ada, { notes: null })).body.data).toMatchObject({ ...noted, notes: null });
    const refused = await change(app, support, ada, SUSPEND);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'owner' } });
    const seen = [
      await app.api.get('/v1/audit-log', ada.accessToken),
      await app.api.get(`/v1/orgs/${ada.organizationId}`, ada.accessToken),
    ];
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toMatch(/Pays late|CRM-1|emea/);
  });

  it('400, 401, 403, 404', async ({ app, owner, ada }) => {
    const detailsOf = async (body: object) => (await change(app, owner, ada, body)).body.error.details;
    expect(await detailsOf({ status: 'suspended' })).toEqual({ field: 'reason', reason: 'required' });
    expect(await detailsOf({ reason: 'x' })).toEqual({ field: 'reason', reason: 'unknown' });
    expect(await detailsOf({ status: 'gone' })).toMatchObject({ field: 'status' });
    expect(await detailsOf({ metadata: { [`x${'y'.repeat(40)}`]: '' } })).toEqual({
      field: 'metadata',
      reason: 'length',
    });
    expect((await app.api.call('PATCH', pathOf(ada), { body: {} })).status).toBe(401);
    expect((await change(app, ada.accessToken, ada, SUSPEND)).body.error.code).toBe('insufficient_scope');
    expect((await change(app, owner, { ...ada, organizationId: 'org_nothing' }, SUSPEND)).status).toBe(404);
    expect((await app.api.get('/v1/operator/organizations/org_nothing', owner)).status).toBe(404);
  });
});

describe('the secrets of a customer', () => {
  it('are null for staff and programs that act for it, and for no one else', async ({ app, support, ada }) => {
    const headers = { 'x-organization-id': ada.organizationId };
    const input = { url: 'https://93.184.216.34/hooks', events: ['*'] };
    const made = (await app.api.post('/v1/webhooks', support, input, headers)).body.data;
    const rotate = (token: string, named: Record<string, string>) =>
      app.api.post(`/v1/webhooks/${made.id}/rotate-secret`, token, {}, named);
    const replayed = { ...headers, 'idempotency-key': 'once' };
    const rotated = [await rotate(support, headers), await rotate(support, replayed), await rotate(support, replayed)];
    expect([made.secret, ...rotated.map(({ body }) => body.data.secret)]).toEqual([null, null, null, null]);
    expect(JSON.stringify([made, rotated.map(({ body }) => body)])).not.toContain('whsec_');
    const { secret } = (await rotate(ada.accessToken, {})).body.data;
    expect(secret).toMatch(/^whsec_/);
  });

  it('are marked in every response of a route that staff may use for a customer', async ({ app }) => {
    const unmarked = app.service.routes.flatMap(({ access, method, path, response }) =>
      access.kind === 'token' && typeof access.acting !== 'string'
        ? findUnmarked(response).map((name) => `${method} ${path} ${name}`)
        : [],
    );
    expect(unmarked).toEqual([]);
  });
});

/** The fields that are named like a secret but not marked as one. */
function findUnmarked(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const { properties = {}, ...rest } = schema as { properties?: Record<string, object> };
  const own = Object.entries(properties).flatMap(([name, field]) =>
    /(^|_)(secret|token|password|codes)$/.test(name) && !('x-secret' in field) ? [name] : findUnmarked(field),
  );
  return [
    ...own,
    ...Object.values(rest).flatMap((part) => (Array.isArray(part) ? part.flatMap(findUnmarked) : findUnmarked(part))),
  ];
}
