import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { hashToken, newToken } from '../../security/index.ts';

const naming = (organizationId: string) => ({ 'x-organization-id': organizationId });

/** Makes a user a member, as if they had joined this many days ago. */
const join = (app: TestApp, organizationId: string, { userId }: Member, role = 'member', daysAgo = 0) =>
  execute(
    app.database,
    `insert into memberships (organization_id, user_id, user_name, role, created_at)
      values ($1, $2, 'Ada', $3, clock_timestamp() - $4::int * interval '1 day')`,
    [organizationId, userId, role, daysAgo],
  );

const leave = (app: TestApp, organizationId: string, { userId }: Member) =>
  execute(app.database, 'delete from memberships where organization_id = $1 and user_id = $2', [
    organizationId,
    userId,
  ]);

/** An access token of an app that may act in the user's organization. */
async function allowApp(
  app: TestApp,
  { userId, organizationId }: Member,
  scopes = ['read:profile', 'read:org'],
): Promise<string> {
  const token = newToken('svc_oat_');
  await execute(
    app.database,
    `insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
      values ($1, 'oauth', $2, $3, 'grant_1', $4, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
    [hashToken(token), userId, organizationId, scopes],
  );
  return token;
}

/** The organization that a request acts in, or its error. */
async function organizationFor(app: TestApp, path: string, token: string, headers: Record<string, string> = {}) {
  const { status, body } = await app.api.get(path, token, headers);
  return status === 200 ? (body.data.organization?.id ?? body.data.id) : [status, body.error.code];
}
const me = (app: TestApp, token: string, headers?: Record<string, string>) =>
  organizationFor(app, '/v1/me', token, headers);

const NOT_FOUND = [404, 'not_found'];
const INVALID = [401, 'invalid_token'];

describe('an OAuth token', () => {
  it('acts in its own organization, which it may name, and in no other of its user', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada, 'admin', 100);
    const token = await allowApp(app, ada);
    expect(await me(app, token)).toBe(ada.organizationId);
    expect(await me(app, token, naming(ada.organizationId))).toBe(ada.organizationId);
    expect(await me(app, token, naming(grace.organizationId))).toEqual(NOT_FOUND);
    expect(await organizationFor(app, `/v1/orgs/${ada.organizationId}`, token)).toBe(ada.organizationId);
    expect(await organizationFor(app, `/v1/orgs/${grace.organizationId}`, token)).toEqual(NOT_FOUND);
    const listed = (await app.api.get('/v1/orgs', ada.accessToken)).body.data;
    expect(listed).toHaveLength(2);
  });

  it('ends with the membership, and does not continue in another organization', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada);
    const token = await allowApp(app, ada);
    expect(await me(app, token)).toBe(ada.organizationId);
    await leave(app, ada.organizationId, ada);
    expect(await me(app, token)).toEqual(INVALID);
    expect(await organizationFor(app, `/v1/orgs/${grace.organizationId}`, token)).toEqual(INVALID);
  });

  it('allows only what both its scopes and its user’s current role allow', async ({ app, ada }) => {
    const token = await allowApp(app, ada, ['read:org']);
    expect((await app.api.get('/v1/events', token)).status).toBe(200);
    await execute(app.database, `update memberships set role = 'member' where user_id = $1`, [ada.userId]);
    const refused = await app.api.get('/v1/events', token);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    expect((await app.api.get('/v1/me', token)).body.error.code).toBe('insufficient_scope');
  });
});

describe('a login whose user left its organization', () => {
  it('continues in the organization that its user joined first', async ({ app }) => {
    const [ada, grace, kay] = [await app.register(), await app.register(), await app.register()];
    await join(app, grace.organizationId, ada, 'member', 10);
    await join(app, kay.organizationId, ada, 'admin', 20);
    await leave(app, ada.organizationId, ada);
    expect(await me(app, ada.accessToken)).toBe(kay.organizationId);
    const { role } = (await app.api.get('/v1/me', ada.accessToken)).body.data.organization;
    expect(role).toBe('admin');
    expect(await me(app, ada.accessToken, naming(grace.organizationId))).toBe(grace.organizationId);
    await leave(app, kay.organizationId, ada);
    expect(await me(app, ada.accessToken)).toBe(grace.organizationId);
  });

  it('switches at the next request, whatever was cached at the previous one', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada);
    for (let n = 0; n < 3; n += 1) {
      expect(await me(app, ada.accessToken)).toBe(ada.organizationId);
    }
    await leave(app, ada.organizationId, ada);
    for (let n = 0; n < 3; n += 1) {
      expect(await me(app, ada.accessToken)).toBe(grace.organizationId);
    }
  });

  it('keeps its seats alive in the other organization', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada);
    expect(await me(app, ada.accessToken)).toBe(ada.organizationId);
    await leave(app, ada.organizationId, ada);
    const license = await app.issueLicense(grace.organizationId);
    const asked = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    const seat = await app.api.post('/v1/licenses/acquire', ada.accessToken, asked);
    expect(seat.status).toBe(201);
    const { session_id } = seat.body.data;
    for (let n = 0; n < 3; n += 1) {
      expect((await app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id })).status).toBe(200);
    }
  });

  it('is cached with its first organization, but its heartbeats reach the other one', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada);
    const license = await app.issueLicense(grace.organizationId);
    const asked = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    const seat = await app.api.post('/v1/licenses/acquire', ada.accessToken, asked, naming(grace.organizationId));
    const { session_id } = seat.body.data;
    const heartbeat = () => app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id });
    expect((await heartbeat()).status).toBe(404);
    await leave(app, ada.organizationId, ada);
    expect([(await heartbeat()).status, (await heartbeat()).status]).toEqual([200, 200]);
  });

  it('does not find an organization that the user has left, by path or by header', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada);
    await leave(app, ada.organizationId, ada);
    expect(await organizationFor(app, `/v1/orgs/${ada.organizationId}`, ada.accessToken)).toEqual(NOT_FOUND);
    expect(await me(app, ada.accessToken, naming(ada.organizationId))).toEqual(NOT_FOUND);
    expect(await organizationFor(app, `/v1/orgs/${grace.organizationId}`, ada.accessToken)).toBe(grace.organizationId);
  });

  it('ends if there is no other', async ({ app, ada }) => {
    await leave(app, ada.organizationId, ada);
    expect(await me(app, ada.accessToken)).toEqual(INVALID);
    expect(await organizationFor(app, `/v1/orgs/${ada.organizationId}`, ada.accessToken)).toEqual(INVALID);
  });
});

describe('the organization in the path', () => {
  it('wins over the login and over the header, and the role there counts', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await join(app, grace.organizationId, ada, 'member');
    const [own, other] = [`/v1/orgs/${ada.organizationId}`, `/v1/orgs/${grace.organizationId}`];
    for (const headers of [{}, naming(ada.organizationId), naming(grace.organizationId)]) {
      expect(await organizationFor(app, own, ada.accessToken, headers)).toBe(ada.organizationId);
      expect(await organizationFor(app, other, ada.accessToken, headers)).toBe(grace.organizationId);
      const token = ada.accessToken;
      const allowed = await app.api.get(`${own}/invitations`, token, headers);
      const refused = await app.api.get(`${other}/invitations`, token, headers);
      expect([allowed.status, refused.body.error?.details]).toEqual([200, { required_role: 'admin' }]);
    }
  });

  it('does not make up for someone else’s in the header', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    const own = `/v1/orgs/${ada.organizationId}`;
    expect(await organizationFor(app, own, ada.accessToken, naming(grace.organizationId))).toEqual(NOT_FOUND);
    expect(await organizationFor(app, own, ada.accessToken, naming('org_nothing'))).toEqual(NOT_FOUND);
  });

  it.for(['%00', 'org_%00', '%F0%9F%92%BA', '%20', 'x'.repeat(128), 'x'.repeat(500), '%22%27--'])(
    'is not found when it is %s',
    async (id, { app, ada }) => {
      expect(await organizationFor(app, `/v1/orgs/${id}`, ada.accessToken)).toEqual(NOT_FOUND);
      expect(await organizationFor(app, `/v1/orgs/${id}`, await allowApp(app, ada))).toEqual(NOT_FOUND);
    },
  );

  it('does not give access without a token', async ({ app, ada }) => {
    expect((await app.api.get(`/v1/orgs/${ada.organizationId}`)).status).toBe(401);
  });
});
