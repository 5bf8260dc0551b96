import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { createLicenseChangeTools } from '../../operator/create-license-change-tools.ts';
import { changeLicense, type LicenseChange } from '../index.ts';

const it = createTest().extend('operator', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token);

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (app: TestApp, who: Member, key: string, organizationId = who.organizationId) =>
  app.api.call('POST', '/v1/licenses/acquire', {
    token: who.accessToken,
    body: { license_key: key, hardware_id: machine(), metadata: { hostname: 'engine' } },
    headers: { 'x-organization-id': organizationId },
  });
const writeRefusals = async (app: TestApp) => {
  while (await app.runJob('licensing.write-refusals')) {
    // Poll until all are written.
  }
};
const explain = (app: TestApp, operator: string, query: Record<string, string>) =>
  app.api.get(`/v1/operator/explain?${new URLSearchParams(query)}`, operator);
const change = ({ database }: TestApp, id: string, what: LicenseChange) =>
  changeLicense(createLicenseChangeTools({ database }), id, what);

describe('GET /v1/operator/explain', () => {
  it('shows that a member can acquire while a seat is free', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId);
    const answer = await explain(app, operator, { email: ada.email, license_key: license.key });
    expect(answer.body.data).toMatchObject({
      can_acquire: true,
      reasons: [],
      user: { id: ada.userId, email: ada.email, role: 'admin' },
      license: { id: license.id, organization_id: ada.organizationId, active_seats: 0 },
      sessions: [],
      refusals: [],
    });
  });

  it('shows that the organization is suspended, and since when', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId);
    const path = `/v1/operator/organizations/${ada.organizationId}`;
    const suspension = { status: 'suspended', reason: 'Shares its keys' };
    const suspended = (await app.api.call('PATCH', path, { token: operator, body: suspension })).body.data;
    expect((await acquire(app, ada, license.key)).body.error.code).toBe('organization_suspended');
    const query = { user_id: ada.userId, license_id: license.id };
    expect((await explain(app, operator, query)).body.data).toMatchObject({
      can_acquire: false,
      reasons: [{ code: 'organization_suspended', since: suspended.suspended_at }],
    });
    await app.api.call('PATCH', path, { token: operator, body: { status: 'active' } });
    expect((await explain(app, operator, query)).body.data).toMatchObject({ can_acquire: true, reasons: [] });
  });

  it('shows who holds the seats of a full license, since when, and the refusals', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    const grace = await joinOrganization(app, ada);
    const { session_id: id } = (await acquire(app, ada, license.key)).body.data;
    await acquire(app, grace, license.key, ada.organizationId);
    await writeRefusals(app);
    const { data } = (await explain(app, operator, { user_id: grace.userId, license_id: license.id })).body;
    expect(data).toMatchObject({
      can_acquire: false,
      reasons: [
        {
          code: 'no_seats_available',
          message: 'The only seat is in use.',
          holders: [{ id, hostname: 'engine', user: { id: ada.userId, email: ada.email } }],
        },
      ],
      sessions: [],
      refusals: [{ code: 'no_seats_available', user_id: grace.userId, count: 1 }],
    });
    expect(data.reasons[0].since).toBe(data.reasons[0].holders[0].started_at);
  });

  it('shows that the free seat is reserved for the line, and the user’s position in it', async ({
    app,
    ada,
    operator,
  }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    const grace = await joinOrganization(app, ada);
    const { session_id: id } = (await acquire(app, ada, license.key)).body.data;
    const join = (who: Member) =>
      app.api.call('POST', '/v1/licenses/acquire', {
        token: who.accessToken,
        body: { license_key: license.key, hardware_id: machine(), wait_seconds: 600 },
        headers: { 'x-organization-id': ada.organizationId },
      });
    await join(ada);
    expect((await join(grace)).status).toBe(202);
    const reasonsOf = async ({ userId }: Member) =>
      (await explain(app, operator, { user_id: userId, license_id: license.id })).body.data.reasons;
    expect(await reasonsOf(grace)).toMatchObject([
      {
        code: 'no_seats_available',
        message: "The only seat is in use. 2 machines are waiting in line. The user's first machine is at position 2.",
      },
    ]);
    await app.api.post('/v1/licenses/release', ada.accessToken, { session_id: id });
    expect((await acquire(app, grace, license.key, ada.organizationId)).body.error.code).toBe('no_seats_available');
    expect(await reasonsOf(grace)).toMatchObject([
      {
        code: 'no_seats_available',
        message:
          "The only free seat is reserved. 2 machines are waiting in line. The user's first machine is at position 2.",
        since: null,
        holders: [],
      },
    ]);
  });

  it('shows that a machine with a seat gets it again', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 2 });
    const { session_id: id } = (await acquire(app, ada, license.key)).body.data;
    const grace = await joinOrganization(app, ada);
    await acquire(app, grace, license.key, ada.organizationId);
    const { data } = (await explain(app, operator, { email: ada.email, license_id: license.id })).body;
    expect(data.sessions).toEqual([expect.objectContaining({ id })]);
    expect(data.reasons[0].message).toBe(
      'All 2 seats are in use. The user holds 1: on that machine, acquire returns the existing session.',
    );
  });

  it.for<[string, LicenseChange]>([
    ['license_suspended', { kind: 'suspend' }],
    ['license_revoked', { kind: 'revoke' }],
    ['license_expired', { kind: 'extend', expiresAt: '2020-01-01T00:00:00.000Z' }],
  ])('names %s, and since when', async ([code, what], { app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId);
    const before = Date.now();
    await change(app, license.id, what);
    const { data } = (await explain(app, operator, { email: ada.email, license_id: license.id })).body;
    expect(data).toMatchObject({ can_acquire: false, reasons: [{ code }] });
    const since = Date.parse(data.reasons[0].since);
    expect(code === 'license_expired' ? since : Math.floor((since - before) / 3_600_000)).toBe(
      code === 'license_expired' ? Date.parse('2020-01-01T00:00:00.000Z') : 0,
    );
    expect((await acquire(app, ada, license.key)).body.error.code).toBe(code);
  });

  it('names user_not_allowed for a license limited to others', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    await execute(app.database, `update licenses set allowed_users = '{usr_other}' where id = $1`, [license.id]);
    const { data } = (await explain(app, operator, { email: ada.email, license_id: license.id })).body;
    expect(data).toMatchObject({ can_acquire: false, reasons: [{ code: 'user_not_allowed', since: null }] });
  });

  it('shows that a user is not a member, and what else would refuse them', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId);
    await change(app, license.id, { kind: 'suspend' });
    const stranger = await app.register('Stranger');
    const { data } = (await explain(app, operator, { email: stranger.email, license_id: license.id })).body;
    expect(data.user.role).toBeNull();
    expect(data.reasons.map(({ code }: { code: string }) => code)).toEqual(['not_found', 'license_suspended']);
    expect((await acquire(app, stranger, license.key)).body.error.code).toBe('not_found');
  });

  it('uses the organization’s clock', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    await acquire(app, ada, license.key);
    const query = { email: ada.email, license_id: license.id };
    expect((await explain(app, operator, query)).body.data.can_acquire).toBe(false);
    await app.moveClock(ada.organizationId, 200);
    expect((await explain(app, operator, query)).body.data.can_acquire).toBe(true);
  });

  it('finds the user and the license as people type them', async ({ app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId);
    const query = { email: ` ${ada.email.toUpperCase()}`, license_key: license.key.toLowerCase().replaceAll('-', '') };
    expect((await explain(app, operator, query)).body.data.can_acquire).toBe(true);
  });

  it.for<Record<string, string>>([
    { email: 'nobody@example.com' },
    { email: 'no address' },
    { user_id: 'usr_missing' },
  ])('does not find the user of %j', async (user, { app, ada, operator }) => {
    const license = await app.issueLicense(ada.organizationId);
    const answer = await explain(app, operator, { ...user, license_id: license.id });
    expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'user' } });
  });

  it.for<Record<string, string>>([
    { license_id: 'lic_missing' },
    { license_key: 'AAAAA-AAAAA-AAAAA-AAAAA' },
    { license_key: 'x' },
  ])('does not find the license of %j', async (license, { app, ada, operator }) => {
    const answer = await explain(app, operator, { email: ada.email, ...license });
    expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'license' } });
  });

  it.for<[Record<string, string>, string, string]>([
    [{ license_id: 'lic_a' }, 'email', 'required'],
    [{ user_id: 'usr_a' }, 'license_key', 'required'],
    [{ user_id: 'usr_a', email: 'a@example.com', license_id: 'lic_a' }, 'user_id', 'unknown'],
    [{ user_id: 'usr_a', license_key: 'a', license_id: 'lic_a' }, 'license_id', 'unknown'],
  ])('refuses %j', async ([query, field, reason], { app, operator }) => {
    const answer = await explain(app, operator, query);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('returns not_found to customers', async ({ app, ada }) => {
    const license = await app.issueLicense(ada.organizationId);
    const answer = await explain(app, ada.accessToken, { email: ada.email, license_id: license.id });
    expect(answer.status).toBe(403);
  });
});

describe('GET /v1/operator/refusals', () => {
  it('lists the refusals of all organizations, filtered', async ({ app, ada, operator }) => {
    const bob = await app.register('Bob');
    const refusedIn = new Map<string, string>();
    for (const member of [ada, bob]) {
      const license = await app.issueLicense(member.organizationId, { maxSeats: 1 });
      await acquire(app, member, license.key);
      await acquire(app, member, license.key);
      refusedIn.set(member.organizationId, license.id);
    }
    await writeRefusals(app);
    const list = async (query: string) =>
      (await app.api.get(`/v1/operator/refusals?limit=100${query}`, operator)).body.data.map(
        (row: { organization_id: string }) => row.organization_id,
      );
    expect(await list('')).toEqual(expect.arrayContaining([ada.organizationId, bob.organizationId]));
    expect(await list(`&organization_id=${bob.organizationId}`)).toEqual([bob.organizationId]);
    expect(await list(`&license_id=${refusedIn.get(ada.organizationId)}`)).toEqual([ada.organizationId]);
    expect(await list(`&user_id=${ada.userId}`)).toEqual([ada.organizationId]);
    expect(await list(`&user_id=${ada.userId}&code=license_expired`)).toEqual([]);
    expect(await list('&created_after=2999-01-01T00:00:00Z')).toEqual([]);
    const refused = await app.api.get('/v1/operator/refusals', ada.accessToken);
    expect(refused.status).toBe(403);
    expect(await execute(app.database, 'select 1 from audit_entries where action like $1', ['refusal%'])).toEqual([]);
  });
});
