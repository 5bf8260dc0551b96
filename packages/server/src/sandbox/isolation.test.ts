import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../test/harness/index.ts';
import { inviteToOrganization } from '../../test/harness/join-organization.ts';
import { plantEndpoint } from '../../test/harness/plant-endpoint.ts';
import { startReceiver, type WebhookReceiver } from '../../test/harness/webhook-receiver.ts';

/** A user with one of everything, in one environment. */
interface Side {
  test: TestApp;
  ada: Member;
  license: { id: string; key: string };
  sessionId: string;
  apiToken: string;
  projectId: string;
  endpointId: string;
  eventId: string;
}

let receiver: WebhookReceiver;
let production: Side;
let sandbox: Side;

beforeAll(async () => {
  receiver = await startReceiver();
  production = await startSide('production');
  sandbox = await startSide('sandbox');
});
afterAll(async () => {
  await production.test.close();
  await sandbox.test.close();
  await receiver.close();
});

const machine = () => `hw_${randomBytes(16).toString('hex')}`;

async function startSide(environment: 'production' | 'sandbox'): Promise<Side> {
  const test = await startTestApp({ environment, settings: receiver.settings });
  const ada = await test.register();
  const { api } = test;
  const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url(`/${environment}`));
  const license = await test.issueLicense(ada.organizationId);
  const seat = await api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: license.key,
    hardware_id: machine(),
  });
  const token = await api.post('/v1/api-tokens', ada.accessToken, {
    name: 'Nightly build',
    scopes: ['read:licenses', 'manage:licenses', 'read:org'],
    expires_at: null,
  });
  const project = await api.post('/v1/projects', ada.accessToken, { name: 'A project' });
  const events = await api.get('/v1/events', ada.accessToken);
  return {
    test,
    ada,
    license,
    sessionId: seat.body.data.session_id,
    apiToken: token.body.data.token,
    projectId: project.body.data.id,
    endpointId: endpoint.id,
    eventId: events.body.data[0].id,
  };
}

describe.each([
  ['the sandbox', 'production', () => [sandbox, production] as const],
  ['production', 'the sandbox', () => [production, sandbox] as const],
])('isolation of %s from %s:', (_from, _to, sides) => {
  it('its tokens are refused with invalid_token on every route that requires one', async () => {
    const [from, to] = sides();
    for (const route of to.test.service.routes.filter((each) => each.access.kind !== 'public')) {
      const path = route.path.replaceAll(/\{\w+\}/g, from.license.id);
      for (const token of [from.ada.accessToken, from.apiToken]) {
        const answer = await to.test.api.call(route.method, path, { token });
        expect([route.path, answer.status, answer.body.error?.code]).toEqual([route.path, 401, 'invalid_token']);
      }
    }
  });

  it('its refresh tokens and invitations are invalid', async () => {
    const [from, to] = sides();
    const refreshed = await to.test.api.post('/v1/auth/refresh', undefined, { refresh_token: from.ada.refreshToken });
    expect(refreshed.status).toBe(401);
    const token = await inviteToOrganization(from.test, from.ada, 'member', to.ada.email);
    const accepted = await to.test.api.post('/v1/invitations/accept', to.ada.accessToken, { token });
    expect(accepted.status).toBeGreaterThanOrEqual(400);
    // In its own environment, the login continues as before.
    const own = await from.test.api.post('/v1/auth/refresh', undefined, { refresh_token: from.ada.refreshToken });
    expect(own.status).toBe(200);
    from.ada = { ...from.ada, accessToken: own.body.data.access_token, refreshToken: own.body.data.refresh_token };
  });

  it('its IDs and license keys are not_found', async () => {
    const [from, to] = sides();
    const { accessToken: token, organizationId } = to.ada;
    for (const path of [
      `/v1/licenses/${from.license.id}`,
      `/v1/projects/${from.projectId}`,
      `/v1/webhooks/${from.endpointId}`,
      `/v1/events/${from.eventId}`,
      `/v1/orgs/${from.ada.organizationId}`,
    ]) {
      const answer = await to.test.api.get(path, token);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'not_found']);
    }
    const seat = { license_key: from.license.key, hardware_id: machine() };
    expect((await to.test.api.post('/v1/licenses/acquire', token, seat)).body.error.code).toBe('not_found');
    const beat = { session_id: from.sessionId };
    expect((await to.test.api.post('/v1/licenses/heartbeat', token, beat)).body.error.code).toBe('not_found');
    expect(organizationId).not.toBe(from.ada.organizationId);
  });

  it('its email addresses and passwords are not taken', async () => {
    const [from, to] = sides();
    const { email, password } = from.ada;
    const login = await to.test.api.post('/v1/auth/login', undefined, { email, password });
    expect(login.status).toBe(401);
    const registered = await to.test.api.post('/v1/auth/register', undefined, { email, password, name: 'Another Ada' });
    expect(registered.status).toBe(201);
    expect(registered.body.data.user.id).not.toBe(from.ada.userId);
  });

  it('its webhooks and events stay there, and so does its clock', async () => {
    const [from, to] = sides();
    for (const side of [from, to]) {
      for (const name of ['webhooks.fan-out-events', 'webhooks.deliver-fast-lane', 'webhooks.deliver-slow-lane']) {
        await side.test.runJob(name);
      }
      await expect
        .poll(async () => (await execute(side.test.database, 'select from webhook_planned_attempts')).length)
        .toBe(0);
    }
    const organizations = { '/production': production.ada.organizationId, '/sandbox': sandbox.ada.organizationId };
    expect(receiver.received.length).toBeGreaterThan(0);
    for (const { path, event } of receiver.received) {
      expect([path, event.organization_id]).toEqual([path, organizations[path === '/sandbox' ? path : '/production']]);
    }
    const { data } = (await to.test.api.get('/v1/events', to.ada.accessToken)).body;
    expect(new Set(data.map((each: { organization_id: string }) => each.organization_id))).toEqual(
      new Set([to.ada.organizationId]),
    );
    await sandbox.test.api.post('/v1/sandbox/clock/advance', sandbox.ada.accessToken, { seconds: 60 });
    expect(await execute(production.test.database, 'select from organizations where clock_offset_ms > 0')).toEqual([]);
  });

  it('its license tokens are signed by keys that the other one does not publish', async () => {
    const [from, to] = sides();
    const keysOf = async ({ test }: Side) =>
      (await test.api.get('/.well-known/jwks.json')).body.keys.map((each: { kid: string }) => each.kid);
    const published = await keysOf(to);
    for (const kid of await keysOf(from)) {
      expect(published).not.toContain(kid);
    }
  });
});

it('API tokens show their environment by their prefix', () => {
  expect(production.apiToken).toMatch(/^svc_live_/);
  expect(sandbox.apiToken).toMatch(/^svc_test_/);
});
