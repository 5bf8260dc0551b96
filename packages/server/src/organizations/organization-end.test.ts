import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../test/harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../../test/harness/join-organization.ts';
import { findFirstMembership, findOrganizationId } from './index.ts';

const hardwareId = () => `hw_${randomBytes(16).toString('hex')}`;

interface Scene {
  owner: Member;
  member: Member;
  licenseKey: string;
  apiToken: string;
}

/** An organization with a member, who has a token there and has just used both on the second process. */
async function createScene(app: TestApp, second: TestApp, role: 'admin' | 'member' = 'member'): Promise<Scene> {
  const owner = await app.register();
  const member = await joinOrganization(app, owner, role);
  const there = { 'x-organization-id': owner.organizationId };
  const input = { name: 'a token', scopes: ['read:org', 'manage:licenses'] };
  const apiToken = (await app.api.post('/v1/api-tokens', member.accessToken, input, there)).body.data.token;
  const { key: licenseKey } = await app.issueLicense(owner.organizationId, { maxSeats: 10 });
  const scene = { owner, member, licenseKey, apiToken };
  const { read, readByToken, acquire, acquireByToken } = attempts(second, scene);
  for (const attempt of [read, readByToken, acquire, acquireByToken]) {
    expect((await attempt()).status).toBeLessThan(300);
  }
  return scene;
}

/** The member's requests on the second process, by a login and by an API token. */
function attempts(second: TestApp, { owner, member, licenseKey, apiToken }: Scene) {
  const path = `/v1/orgs/${owner.organizationId}`;
  const there = { 'x-organization-id': owner.organizationId };
  const body = () => ({ license_key: licenseKey, hardware_id: hardwareId() });
  return {
    read: () => second.api.get(path, member.accessToken),
    readByToken: () => second.api.get(path, apiToken),
    acquire: () => second.api.post('/v1/licenses/acquire', member.accessToken, body(), there),
    acquireByToken: () => second.api.post('/v1/licenses/acquire', apiToken, body()),
    manage: () => second.api.call('PATCH', path, { token: member.accessToken, body: {} }),
  };
}

async function expectNoAccess(second: TestApp, scene: Scene): Promise<void> {
  const { read, readByToken, acquire, acquireByToken } = attempts(second, scene);
  expect((await read()).status).toBe(404);
  expect((await acquire()).status).toBe(404);
  expect((await readByToken()).body.error.code).toBe('invalid_token');
  expect((await acquireByToken()).body.error.code).toBe('invalid_token');
}

describe('at the very next request on another process,', () => {
  it('a removed member and their API token lose access', async ({ app, second }) => {
    const scene = await createScene(app, second);
    const { owner, member } = scene;
    const path = `/v1/orgs/${owner.organizationId}/members/${member.userId}`;
    expect((await app.api.call('DELETE', path, { token: owner.accessToken })).status).toBe(204);
    await expectNoAccess(second, scene);
  });

  it('a demoted admin can no longer manage anything, but can still read', async ({ app, second }) => {
    const scene = await createScene(app, second, 'admin');
    const { owner, member } = scene;
    const { read, manage, acquire } = attempts(second, scene);
    expect((await manage()).status).toBe(200);
    const path = `/v1/orgs/${owner.organizationId}/members/${member.userId}`;
    await app.api.call('PATCH', path, { token: owner.accessToken, body: { role: 'member' } });
    expect((await manage()).body.error.details).toEqual({ required_role: 'admin' });
    expect((await read()).body.data.role).toBe('member');
    expect((await acquire()).status).toBe(201);
  });

  it('the members of a deleted organization and their API tokens lose access, and no one can find it', async ({
    app,
    second,
  }) => {
    const scene = await createScene(app, second);
    const { owner, member } = scene;
    const code = await inviteToOrganization(app, owner, 'member', 'late@example.com');
    const { name } = (await app.api.get(`/v1/orgs/${owner.organizationId}`, owner.accessToken)).body.data;
    const options = { token: owner.accessToken, body: { confirm: name } };
    expect((await app.api.call('DELETE', `/v1/orgs/${owner.organizationId}`, options)).status).toBe(204);
    await expectNoAccess(second, scene);
    expect((await second.api.get('/v1/me', owner.accessToken)).status).toBe(401);
    expect(await findOrganizationId(app.database, owner.organizationId)).toBeUndefined();
    expect(await findOrganizationId(app.database, owner.email)).toBeUndefined();
    expect(await findFirstMembership(app.database, { userId: owner.userId })).toBeUndefined();
    const accepted = await app.api.post('/v1/invitations/accept', member.accessToken, { token: code });
    expect(accepted.body.error.code).toBe('invalid_token');
  });
});

describe('a login', () => {
  it('that started in an organization continues in another one after its user was removed there', async ({
    app,
    second,
  }) => {
    const person = await app.register();
    const other = (await app.api.post('/v1/orgs', person.accessToken, { name: 'Another' })).body.data;
    const successor = await joinOrganization(app, person, 'admin');
    const path = `/v1/orgs/${person.organizationId}/members/${person.userId}`;
    expect((await app.api.call('DELETE', path, { token: successor.accessToken })).status).toBe(204);
    const me = await second.api.get('/v1/me', person.accessToken);
    expect(me.body.data.organization).toMatchObject({ id: other.id, role: 'admin' });
    expect((await second.api.get(`/v1/orgs/${person.organizationId}`, person.accessToken)).status).toBe(404);
  });

  it('that starts in a deleted organization continues in another one', async ({ app, second }) => {
    const person = await app.register();
    const other = (await app.api.post('/v1/orgs', person.accessToken, { name: 'Another' })).body.data;
    const path = `/v1/orgs/${person.organizationId}`;
    const { name } = (await app.api.get(path, person.accessToken)).body.data;
    await app.api.call('DELETE', path, { token: person.accessToken, body: { confirm: name } });
    expect((await second.api.get('/v1/me', person.accessToken)).body.data.organization.id).toBe(other.id);
    const { email, password } = person;
    const again = await second.api.post('/v1/auth/login', undefined, { email, password });
    const me = await app.api.get('/v1/me', again.body.data.access_token);
    expect(me.body.data.organization.id).toBe(other.id);
  });
});
