import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock } from '../../../test/harness/two-factor.ts';
import { newToken } from '../../security/index.ts';

const clock = new MovedClock();
const it = createTest({ clock });

const LINKS = '/v1/webhooks/portal-links';
const EXCHANGE = `${LINKS}/exchange`;

const createLink = async (app: TestApp, { accessToken }: Pick<Member, 'accessToken'>) => {
  const { status, body } = await app.api.post(LINKS, accessToken, {});
  expect(status).toBe(201);
  const url = new URL(body.data.url);
  return { url, secret: url.hash.slice(1), expiresAt: body.data.expires_at };
};

const exchange = (app: TestApp, token: string) => app.api.post(EXCHANGE, undefined, { token });

const openPortal = async (app: TestApp, member: Pick<Member, 'accessToken'>): Promise<string> =>
  (await exchange(app, (await createLink(app, member)).secret)).body.data.access_token;

/** Moves everything about links this far into the past. */
const age = (app: TestApp, interval: string) =>
  execute(
    app.database,
    `update portal_links set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval,
      session_expires_at = session_expires_at - $1::interval`,
    [interval],
  );

const codeOf = ({ status, body }: Awaited<ReturnType<typeof exchange>>) => [status, body.error?.code];

describe('a portal link', () => {
  it('has its secret in the fragment, and is valid for 15 minutes', async ({ app, ada }) => {
    const { url, secret, expiresAt } = await createLink(app, ada);
    expect([url.pathname, url.search]).toEqual(['/portal', '']);
    expect(secret).toMatch(/^svc_wpl_[0-9A-Za-z]{42}$/);
    const [row] = await execute<{ seconds: number }>(
      app.database,
      `select extract(epoch from $2::timestamptz - created_at)::int as seconds from portal_links where organization_id = $1`,
      [ada.organizationId, expiresAt],
    );
    expect(row?.seconds).toBe(900);
  });

  it('opens one session, however many exchange it simultaneously', async ({ app, ada }) => {
    const { secret } = await createLink(app, ada);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(app, secret)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 401)]);
  });

  it('is refused as expired after its expiry, and as invalid if made up', async ({ app, ada }) => {
    const { secret } = await createLink(app, ada);
    await age(app, '15 minutes');
    expect(codeOf(await exchange(app, secret))).toEqual([401, 'token_expired']);
    expect(codeOf(await exchange(app, newToken('svc_wpl_')))).toEqual([401, 'invalid_token']);
    expect(codeOf(await exchange(app, ''))).toEqual([400, 'invalid_request']);
    expect(codeOf(await app.api.get('/v1/webhooks', secret))).toEqual([401, 'invalid_token']);
  });

  it('can be created only by admins, and by their tokens with admin:org', async ({ app, ada }) => {
    const billing = await joinOrganization(app, ada, 'billing');
    const headers = { 'x-organization-id': ada.organizationId };
    expect(codeOf(await app.api.post(LINKS, billing.accessToken, {}, headers))).toEqual([403, 'forbidden']);
    const tokenWith = async (scope: string) =>
      (await app.api.post('/v1/api-tokens', ada.accessToken, { name: scope, scopes: [scope], expires_at: null })).body
        .data.token;
    expect(codeOf(await app.api.post(LINKS, await tokenWith('read:org'), {}))).toEqual([403, 'insufficient_scope']);
    expect((await app.api.post(LINKS, await tokenWith('admin:org'), {})).status).toBe(201);
    expect(codeOf(await app.api.post(LINKS, undefined, {}))).toEqual([401, 'invalid_token']);
  });

  it('cannot be created by staff acting for a customer, because the portal shows secrets', async ({ app, ada }) => {
    const staff = await registerStaff(app, clock, 'owner');
    const headers = { 'x-organization-id': ada.organizationId };
    expect(codeOf(await app.api.post(LINKS, staff.accessToken, {}, headers))).toEqual([403, 'forbidden']);
  });
});

describe('the session of a portal link', () => {
  it('manages the webhooks of its organization, and sees their secrets once', async ({ app, ada }) => {
    const session = await openPortal(app, ada);
    const made = await app.api.post('/v1/webhooks', session, { url: 'https://93.184.216.34/hooks', events: ['*'] });
    expect(made.body.data.secret).toMatch(/^whsec_/);
    const at = `/v1/webhooks/${made.body.data.id}`;
    expect((await app.api.get(at, session)).body.data).not.toHaveProperty('secret');
    expect((await app.api.post(`${at}/test`, session, { type: 'license.expired' })).status).toBe(201);
    expect((await app.api.get(`${at}/deliveries`, session)).body.data).toHaveLength(1);
    expect((await app.api.get('/v1/event-types', session)).status).toBe(200);
    expect((await app.api.call('DELETE', at, { token: session })).status).toBe(204);
  });

  it('can do nothing else', async ({ app, ada }) => {
    const session = await openPortal(app, ada);
    for (const path of ['/v1/me', '/v1/events', '/v1/events/stream', '/v1/licenses', '/v1/orgs', '/v1/audit-log']) {
      expect([path, ...codeOf(await app.api.get(path, session))]).toEqual([path, 403, 'forbidden']);
    }
    expect(codeOf(await app.api.get(`/v1/orgs/${ada.organizationId}`, session))).toEqual([403, 'forbidden']);
    for (const path of [LINKS, '/v1/api-tokens', '/v1/licenses/acquire', '/v1/auth/logout']) {
      expect([path, ...codeOf(await app.api.post(path, session, {}))]).toEqual([path, 403, 'forbidden']);
    }
  });

  it('does not reach another organization, not even of the same admin', async ({ app, ada }) => {
    const grace = await app.register();
    const session = await openPortal(app, ada);
    const { id } = await plantEndpoint(app, grace.organizationId, 'https://93.184.216.34/hooks');
    expect(codeOf(await app.api.get(`/v1/webhooks/${id}`, session))).toEqual([404, 'not_found']);
    const other = (await app.api.post('/v1/orgs', ada.accessToken, { name: 'Second' })).body.data.id;
    for (const organization of [grace.organizationId, other]) {
      const headers = { 'x-organization-id': organization };
      expect(codeOf(await app.api.get('/v1/webhooks', session, headers))).toEqual([404, 'not_found']);
    }
  });

  it('does not get its admin’s staff role', async ({ app, ada }) => {
    const staff = await registerStaff(app, clock, 'owner');
    const session = await openPortal(app, staff);
    const headers = { 'x-organization-id': ada.organizationId };
    expect(codeOf(await app.api.get('/v1/webhooks', session, headers))).toEqual([404, 'not_found']);
    expect(codeOf(await app.api.get('/v1/operator/organizations', session))).toEqual([403, 'insufficient_scope']);
  });

  it('ends after an hour', async ({ app, ada }) => {
    const session = await openPortal(app, ada);
    await age(app, '59 minutes');
    expect((await app.api.get('/v1/webhooks', session)).status).toBe(200);
    await age(app, '1 minute');
    expect(codeOf(await app.api.get('/v1/webhooks', session))).toEqual([401, 'token_expired']);
  });

  it('ends with the role and with the membership of the admin who made the link', async ({ app, ada }) => {
    const other = await joinOrganization(app, ada, 'admin');
    const headers = { 'x-organization-id': ada.organizationId };
    const { body } = await app.api.post(LINKS, other.accessToken, {}, headers);
    const session = (await exchange(app, new URL(body.data.url).hash.slice(1))).body.data.access_token;
    const member = `/v1/orgs/${ada.organizationId}/members/${other.userId}`;
    await app.api.call('PATCH', member, { token: ada.accessToken, body: { role: 'billing' } });
    expect(codeOf(await app.api.get('/v1/webhooks', session))).toEqual([403, 'forbidden']);
    await app.api.call('DELETE', member, { token: ada.accessToken });
    expect(codeOf(await app.api.get('/v1/webhooks', session))).toEqual([401, 'invalid_token']);
  });

  it('has its own rate limit, separate from that of the admin and their programs', async ({ app, ada }) => {
    const session = await openPortal(app, ada);
    const left = async (token: string) =>
      Number((await app.api.get('/v1/webhooks', token)).headers.get('x-ratelimit-remaining'));
    const before = await left(ada.accessToken);
    await Promise.all(Array.from({ length: 5 }, () => left(session)));
    expect(before - (await left(ada.accessToken))).toBe(1);
  });

  it('is named in the audit log with the admin who is responsible for it', async ({ app, ada }) => {
    const session = await openPortal(app, ada);
    await app.api.post('/v1/webhooks', session, { url: 'https://93.184.216.34/hooks', events: ['*'] });
    const log = (await app.api.get('/v1/audit-log', ada.accessToken)).body.data;
    const made = log.find((entry: { action: string }) => entry.action.startsWith('webhook'));
    expect(made.actor).toMatchObject({ user_id: ada.userId });
    expect(log.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining(['portal_link.created', 'portal_link.exchanged']),
    );
  });
});
