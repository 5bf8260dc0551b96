import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { makeStaff, registerStaff } from '../../../test/harness/staff.ts';
import { codeAt, MovedClock, type TwoFactorMember } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ clock }).extend('owner', async ({ app }) => {
  await execute(app.database, 'delete from staff_members');
  return registerStaff(app, clock, 'owner');
});

const PATH = '/v1/operator/staff';
const add = (app: TestApp, owner: TwoFactorMember, email: string, role: string, by: Member = owner) =>
  app.api.post(PATH, by.accessToken, { email, role });
const change = (app: TestApp, owner: TwoFactorMember, userId: string, role: string, at = app) =>
  at.api.call('PATCH', `${PATH}/${userId}`, { token: owner.accessToken, body: { role } });
const remove = (app: TestApp, owner: TwoFactorMember, userId: string, by: Member = owner, at = app) =>
  at.api.call('DELETE', `${PATH}/${userId}`, { token: by.accessToken });
const ofInstallation = (app: TestApp, action: string) =>
  execute(
    app.database,
    `select actor_user_id, by_staff, target_id, before, after from audit_entries
      where organization_id = 'installation' and action = $1 order by id desc`,
    [action],
  );

describe('POST /v1/operator/staff', () => {
  it('201: gives a user with an account the role immediately, and notifies them', async ({ app, owner }) => {
    const ada = await app.register();
    const added = await add(app, owner, ` ${ada.email.toUpperCase()}`, 'support');
    expect([added.status, added.body.data]).toEqual([
      201,
      {
        user_id: ada.userId,
        email: ada.email,
        name: expect.any(String),
        role: 'support',
        two_factor_enabled: false,
        created_at: expect.stringMatching(/Z$/),
        created_by: owner.userId,
      },
    ]);
    expect((await app.mailsTo(ada.email)).map((mail) => mail.kind)).toContain('staff-added');
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.staff).toEqual({ role: 'support' });
    expect((await ofInstallation(app, 'staff.added'))[0]).toEqual({
      actor_user_id: owner.userId,
      by_staff: true,
      target_id: ada.userId,
      before: null,
      after: { email: ada.email, role: 'support' },
    });
    expect((await add(app, owner, ada.email, 'viewer')).body.error).toMatchObject({
      code: 'already_exists',
      details: { field: 'email' },
    });
  });

  it('201: mails a new user a one-time link, and another one each time until it is used', async ({ app, owner }) => {
    const email = 'grace.new@example.com';
    const first = await add(app, owner, email, 'viewer');
    expect(first.body.data).toMatchObject({ email, role: 'viewer', two_factor_enabled: false });
    const again = await add(app, owner, email, 'viewer');
    expect(again.body.data.user_id).toBe(first.body.data.user_id);
    expect((await add(app, owner, email, 'owner')).body.error.code).toBe('conflict');
    const mails = (await app.mailsTo(email)).filter((mail) => mail.kind === 'staff-setup');
    expect(mails.map((mail) => mail.link?.url)).toEqual(
      mails.map((mail) => `https://api.test/oauth/staff-setup?token=${mail.code}`),
    );
    expect(new Set(mails.map((mail) => mail.code)).size).toBe(2);
    const links = await execute(app.database, 'select spent_at from staff_setup_links where user_id = $1', [
      first.body.data.user_id,
    ]);
    expect(links).toEqual([{ spent_at: null }]);
  });

  it('400, 401, 403', async ({ app, owner }) => {
    expect((await add(app, owner, 'nobody', 'viewer')).body.error.details).toEqual({
      field: 'email',
      reason: 'format',
    });
    expect((await add(app, owner, 'a@example.com', 'king')).body.error.details).toEqual({
      field: 'role',
      reason: 'enum',
    });
    expect((await app.api.post(PATH, undefined, {})).status).toBe(401);
    for (const role of ['viewer', 'support', 'finance'] as const) {
      const colleague = await registerStaff(app, clock, role);
      const refused = await add(app, owner, 'a@example.com', 'viewer', colleague);
      expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'owner' } });
    }
    const customer = await app.register();
    expect((await add(app, owner, 'a@example.com', 'viewer', customer)).body.error.code).toBe('insufficient_scope');
  });
});

describe('GET /v1/operator/staff', () => {
  it('200: shows all staff to any staff member, by role and by address', async ({ app, owner }) => {
    const viewer = await registerStaff(app, clock, 'viewer');
    const list = async (query: string) =>
      (await app.api.get(`${PATH}${query}`, viewer.accessToken)).body.data.map(
        (each: { user_id: string }) => each.user_id,
      );
    expect(await list('?sort=created_at')).toEqual([owner.userId, viewer.userId]);
    expect(await list('?role=viewer')).toEqual([viewer.userId]);
    const first = (await app.api.get(`${PATH}?sort=email&limit=1`, viewer.accessToken)).body;
    const rest = await list(`?sort=email&limit=1&cursor=${first.pagination.next_cursor}`);
    expect([first.data[0].user_id, ...rest].sort()).toEqual([owner.userId, viewer.userId].sort());
    expect((await app.api.get(`${PATH}?role=king`, viewer.accessToken)).status).toBe(400);
  });
});

describe('the last owner', () => {
  it('cannot be demoted, removed or deleted until there is another', async ({ app, owner }) => {
    const refusals = [await change(app, owner, owner.userId, 'viewer'), await remove(app, owner, owner.userId)];
    const body = { password: owner.password, code: codeAt(clock, owner.secret) };
    refusals.push(await app.api.call('DELETE', '/v1/me', { token: owner.accessToken, body }));
    expect(refusals.map(({ status, body: { error } }) => [status, error.code])).toEqual(
      refusals.map(() => [409, 'conflict']),
    );
    expect((await change(app, owner, owner.userId, 'owner')).status).toBe(200);
    await registerStaff(app, clock, 'owner');
    expect((await change(app, owner, owner.userId, 'viewer')).body.data).toMatchObject({ role: 'viewer' });
  });

  it('remains when two owners remove each other simultaneously on two processes', async ({ app, second, owner }) => {
    for (let round = 0; round < 10; round += 1) {
      await execute(app.database, 'delete from staff_members');
      const other = await registerStaff(app, clock, 'owner');
      await makeStaff(app, owner, 'owner');
      const answers = await Promise.all([
        remove(app, owner, other.userId, owner),
        remove(app, owner, owner.userId, other, second),
      ]);
      expect(answers.map(({ status }) => status).sort()).not.toEqual([204, 204]);
      const left = await execute<{ role: string }>(app.database, 'select role from staff_members');
      expect(left).toEqual([{ role: 'owner' }]);
    }
  });
});

describe('PATCH and DELETE /v1/operator/staff/{user_id}', () => {
  it('take effect at the next request, and are recorded', async ({ app, second, owner }) => {
    const ada = await registerStaff(app, clock, 'support');
    expect((await change(app, owner, ada.userId, 'finance')).body.data).toMatchObject({
      user_id: ada.userId,
      role: 'finance',
    });
    expect((await ofInstallation(app, 'staff.role_changed'))[0]).toMatchObject({
      before: { email: ada.email, role: 'support' },
      after: { email: ada.email, role: 'finance' },
    });
    expect((await second.api.get(PATH, ada.accessToken)).status).toBe(200);
    expect((await remove(app, owner, ada.userId)).status).toBe(204);
    expect((await second.api.get(PATH, ada.accessToken)).body.error.code).toBe('insufficient_scope');
    expect((await ofInstallation(app, 'staff.removed'))[0]).toMatchObject({ before: { role: 'finance' } });
    expect((await second.api.get('/v1/me', ada.accessToken)).body.data.staff).toBeNull();
  });

  it('404 for a user who is not on the staff, 400 for an unknown role', async ({ app, owner }) => {
    const customer = await app.register();
    for (const userId of [customer.userId, 'usr_nothing']) {
      expect((await change(app, owner, userId, 'viewer')).body.error.details).toEqual({ resource: 'staff_member' });
      expect((await remove(app, owner, userId)).status).toBe(404);
    }
    expect((await change(app, owner, owner.userId, 'king')).status).toBe(400);
  });
});

describe('/v1/operator/tokens', () => {
  it('creates a token with a role, shows it once, lists it and revokes it', async ({ app, second, owner }) => {
    const input = { name: 'Metering', role: 'finance', expires_at: '2099-12-31T00:00:00.000Z' };
    const created = await app.api.post('/v1/operator/tokens', owner.accessToken, input);
    const { token, ...shown } = created.body.data;
    app.api.secrets.note('an operator token', token);
    expect([created.status, shown]).toEqual([
      201,
      expect.objectContaining({ ...input, created_by: owner.userId, status: 'active' }),
    ]);
    const headers = { token, body: { name: 'more', role: 'owner' } };
    const minted = await app.api.call('POST', '/v1/operator/tokens', headers);
    expect(minted.body.error.details).toEqual({ required_role: 'owner' });
    const listed = await app.api.get('/v1/operator/tokens?role=finance', token);
    expect(listed.body.data).toMatchObject([{ id: shown.id, last_used_at: expect.any(String) }]);
    expect(JSON.stringify(listed.body)).not.toContain(token);
    const path = `/v1/operator/tokens/${shown.id}`;
    expect((await app.api.call('DELETE', path, { token: owner.accessToken })).status).toBe(204);
    expect((await second.api.get('/v1/operator/tokens', token)).body.error.code).toBe('invalid_token');
    expect((await ofInstallation(app, 'operator_token.revoked'))[0]).toMatchObject({
      actor_user_id: owner.userId,
      target_id: shown.id,
    });
  });

  it('400, 404 and 422', async ({ app, owner }) => {
    const create = (body: unknown) => app.api.post('/v1/operator/tokens', owner.accessToken, body);
    expect((await create({ name: 'x' })).body.error.details).toEqual({ field: 'role', reason: 'required' });
    const late = { name: 'x', role: 'viewer', expires_at: '2020-01-01T00:00:00Z' };
    expect((await create(late)).body.error.details).toEqual({ field: 'expires_at', reason: 'past' });
    for (const text of ['9999-12-31T23:59:59-12:00', '2099-06-30T23:59:60Z']) {
      const refused = await create({ name: 'x', role: 'viewer', expires_at: text });
      expect(refused.body.error.details).toEqual({ field: 'expires_at', reason: 'format' });
    }
    const unknown = await app.api.call('DELETE', '/v1/operator/tokens/optok_nothing', { token: owner.accessToken });
    expect(unknown.body.error.details).toEqual({ resource: 'operator_token' });
  });
});
