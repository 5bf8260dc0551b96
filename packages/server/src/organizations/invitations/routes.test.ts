import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../../../test/harness/join-organization.ts';

const it = createTest()
  .override('admin', ({ app }) => app.register('Ada'))
  .extend('stranger', { scope: 'file' }, ({ app }) => app.register())
  .extend(
    'invite',
    ({ app, admin }) =>
      (body: unknown, owner = admin, headers = {}) =>
        app.api.post(pathOf(owner), owner.accessToken, body, headers),
  )
  .extend(
    'revoke',
    ({ app, admin }) =>
      (id: string, owner = admin) =>
        app.api.call('DELETE', pathOf(owner, id), { token: owner.accessToken }),
  );

const pathOf = (admin: Member, id = '') => `/v1/orgs/${admin.organizationId}/invitations${id === '' ? '' : `/${id}`}`;
const someone = () => `${randomBytes(8).toString('hex')}@example.com`;
const expire = (app: TestApp, id: string) =>
  execute(app.database, `update invitations set expires_at = created_at - interval '1 second' where id = $1`, [id]);

describe('POST /v1/orgs/{organization_id}/invitations', () => {
  it('201: mails the token, the inviter and the offer; the response, the event and the log never contain the token', async ({
    app,
    admin,
    invite,
  }) => {
    const email = someone();
    const answer = await invite({ email: `  ${email.toUpperCase()} `, role: 'billing' });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toMatchObject({
      organization_id: admin.organizationId,
      email,
      role: 'billing',
      status: 'pending',
      invited_by: admin.userId,
      accepted_at: null,
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(7 * 86_400_000);
    const [mail, ...more] = await app.mailsTo(email);
    expect(more).toEqual([]);
    expect(mail?.code).toMatch(/^svc_inv_[0-9A-Za-z]{42}$/);
    const acceptance = new URLSearchParams({ code: mail?.code ?? '', email });
    expect(mail?.link?.url).toBe(`https://api.test/accept-invitation#${acceptance}`);
    const { name } = (await app.api.get(`/v1/orgs/${admin.organizationId}`, admin.accessToken)).body.data;
    expect(mail?.paragraphs[0]).toContain(`Ada (${admin.email}) has invited you to join the organization ${name}`);
    const [event] = (await app.api.get('/v1/events?type=org.member.invited', admin.accessToken)).body.data;
    expect(event.data.object).toEqual({ ...data, invitation_id: data.id });
    const [entry] = (await app.api.get('/v1/audit-log?action=invitation.created', admin.accessToken)).body.data;
    expect(entry).toMatchObject({ target: { type: 'invitation', id: data.id }, before: null, after: data });
  });

  it('409: a member, and an address whose invitation is open', async ({ app, admin, stranger, invite }) => {
    const member = await joinOrganization(app, admin);
    const email = someone();
    await invite({ email, role: 'member' });
    for (const taken of [member.email, admin.email.toUpperCase(), email]) {
      const answer = await invite({ email: taken, role: 'admin' });
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'already_exists', details: { field: 'email' } });
    }
    expect((await invite({ email, role: 'member' }, stranger)).status).toBe(201);
  });

  it('201: an expired invitation can be replaced by another', async ({ app, admin, invite }) => {
    const email = someone();
    const first = (await invite({ email, role: 'member' })).body.data;
    await expire(app, first.id);
    const again = await invite({ email, role: 'admin' });
    expect(again.status).toBe(201);
    const listed = (await app.api.get(`${pathOf(admin)}?status=revoked`, admin.accessToken)).body.data;
    expect(listed.map((each: { id: string }) => each.id)).toContain(first.id);
  });

  it('409: over a hundred open ones, until one is revoked; or one address too often', async ({
    app,
    invite,
    revoke,
  }) => {
    const owner = await app.register();
    await Promise.all(Array.from({ length: 99 }, () => invite({ email: someone(), role: 'member' }, owner)));
    const last = await invite({ email: someone(), role: 'member' }, owner);
    expect(last.status).toBe(201);
    const email = someone();
    expect((await invite({ email, role: 'member' }, owner)).body.error.code).toBe('conflict');
    expect(await app.mailsTo(email)).toEqual([]);
    await revoke(last.body.data.id, owner);
    // The next day, because one user can send only a hundred a day.
    await execute(
      app.database,
      `update invitations set created_at = created_at - interval '1 day' where invited_by = $1`,
      [owner.userId],
    );
    for (let time = 1; time <= 20; time += 1) {
      const { id } = (await invite({ email, role: 'member' }, owner)).body.data;
      expect((await revoke(id, owner)).status).toBe(204);
    }
    expect((await invite({ email, role: 'member' }, owner)).body.error.code).toBe('conflict');
    expect(await app.mailsTo(email)).toHaveLength(20);
  });

  it('sent for one address twenty times simultaneously to two processes writes one invitation and one mail', async ({
    app,
    admin,
  }) => {
    const second = await startAppForTest({ beside: app });
    const email = someone();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) => {
        const { api } = place % 2 === 0 ? app : second;
        return api.post(pathOf(admin), admin.accessToken, { email, role: 'member' });
      }),
    );
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    expect(answers.filter((each) => each.body.error?.code === 'already_exists')).toHaveLength(19);
    expect(await app.mailsTo(email)).toHaveLength(1);
  });

  it('writes one invitation and one mail per Idempotency-Key', async ({ app, admin, invite }) => {
    const email = someone();
    const key = { 'idempotency-key': 'invite once' };
    const first = await invite({ email, role: 'member' }, admin, key);
    const again = await invite({ email, role: 'member' }, admin, key);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await app.mailsTo(email)).toHaveLength(1);
  });

  it.for([
    [{ role: 'member' }, 'email', 'required'],
    [{ email: 'nobody', role: 'member' }, 'email', 'format'],
    [{ email: 'a@example.com' }, 'role', 'required'],
    [{ email: 'a@example.com', role: 'owner' }, 'role', 'enum'],
    [{ email: 'a@example.com', role: 'member', token: 'x' }, 'token', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { invite }) => {
    const answer = await invite(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it('401; 403 by role and by scope; 404 in someone else’s organization', async ({ app, admin, stranger }) => {
    const body = { email: someone(), role: 'member' };
    expect((await app.api.post(pathOf(admin), undefined, body)).status).toBe(401);
    const billing = await joinOrganization(app, admin, 'billing');
    const byRole = await app.api.post(pathOf(admin), billing.accessToken, body);
    expect(byRole.body.error.details).toEqual({ required_role: 'admin' });
    const byToken = await app.api.post(
      pathOf(admin),
      await createApiToken(app, billing, ['admin:org'], admin.organizationId),
      body,
    );
    expect(byToken.body.error.details).toEqual({ required_role: 'admin' });
    const byScope = await app.api.post(pathOf(admin), await createApiToken(app, admin, ['read:org']), body);
    expect(byScope.body.error.code).toBe('insufficient_scope');
    expect((await app.api.post(pathOf(stranger), admin.accessToken, body)).status).toBe(404);
    const byAdminToken = await app.api.post(pathOf(admin), await createApiToken(app, admin, ['admin:org']), body);
    expect(byAdminToken.status).toBe(201);
  });
});

describe('GET /v1/orgs/{organization_id}/invitations', () => {
  it('200: pages in either order, by status and role, without tokens', async ({ app, invite, revoke }) => {
    const owner = await app.register();
    const ids: Record<string, string> = {};
    for (const [name, role] of [
      ['c', 'member'],
      ['a', 'billing'],
      ['d', 'member'],
      ['b', 'admin'],
    ] as const) {
      ids[name] = (await invite({ email: `${name}@example.com`, role }, owner)).body.data.id;
    }
    await expire(app, ids.c ?? '');
    await revoke(ids.d ?? '', owner);
    await joinOrganization(app, owner);
    const emails = async (query: string) => {
      const found: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await app.api.get(`${pathOf(owner)}?limit=2${query}${cursor}`, owner.accessToken)).body;
        expect(JSON.stringify(page)).not.toContain('svc_inv_');
        found.push(...page.data.map((each: { email: string }) => each.email[0]));
        if (!page.pagination.has_more) {
          return found.join('');
        }
        cursor = `&cursor=${page.pagination.next_cursor}`;
      }
    };
    expect((await emails('')).slice(1)).toBe('bdac');
    expect(await emails('&sort=email&status=pending')).toBe('ab');
    expect(await emails('&sort=-email&status=pending')).toBe('ba');
    expect(await emails('&status=expired')).toBe('c');
    expect(await emails('&status=revoked')).toBe('d');
    expect(await emails('&status=accepted')).toHaveLength(1);
    expect(await emails('&role=billing&created_after=2020-01-01T00:00:00Z')).toBe('a');
    expect(await emails('&created_before=2020-01-01T00:00:00Z')).toBe('');
  });

  it('400, 401, 403, 404', async ({ app, admin, stranger }) => {
    expect((await app.api.get(`${pathOf(admin)}?status=open`, admin.accessToken)).status).toBe(400);
    expect((await app.api.get(`${pathOf(admin)}?sort=role`, admin.accessToken)).status).toBe(400);
    expect((await app.api.get(pathOf(admin))).status).toBe(401);
    const member = await joinOrganization(app, admin);
    expect((await app.api.get(pathOf(admin), member.accessToken)).status).toBe(403);
    expect((await app.api.get(pathOf(admin), await createApiToken(app, admin, ['read:org']))).status).toBe(403);
    expect((await app.api.get(pathOf(stranger), admin.accessToken)).status).toBe(404);
  });
});

describe('DELETE /v1/orgs/{organization_id}/invitations/{invitation_id}', () => {
  it('204: the token is then refused with invalid_token', async ({ app, admin, revoke }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, admin, 'member', guest.email);
    const [{ id }] = (await app.api.get(`${pathOf(admin)}?limit=1`, admin.accessToken)).body.data;
    expect((await revoke(id)).status).toBe(204);
    const refused = await app.api.post('/v1/invitations/accept', guest.accessToken, { token });
    expect(refused.body.error.code).toBe('invalid_token');
    expect((await revoke(id)).body.error).toMatchObject({ code: 'not_found', details: { resource: 'invitation' } });
    const [entry] = (await app.api.get('/v1/audit-log?action=invitation.revoked', admin.accessToken)).body.data;
    expect(entry).toMatchObject({ before: { status: 'pending' }, after: { status: 'revoked' } });
  });

  it('409: an accepted invitation; 404: an expired one', async ({ app, invite, revoke }) => {
    const owner = await app.register();
    await joinOrganization(app, owner);
    const [{ id }] = (await app.api.get(`${pathOf(owner)}?limit=1`, owner.accessToken)).body.data;
    expect((await revoke(id, owner)).body.error.code).toBe('conflict');
    const expired = (await invite({ email: someone(), role: 'member' }, owner)).body.data.id;
    await expire(app, expired);
    expect((await revoke(expired, owner)).status).toBe(404);
  });

  it('401; 403; 404 in someone else’s organization', async ({ app, admin, stranger, invite, revoke }) => {
    const { id } = (await invite({ email: someone(), role: 'member' })).body.data;
    expect((await app.api.call('DELETE', pathOf(admin, id))).status).toBe(401);
    const member = await joinOrganization(app, admin, 'billing');
    for (const token of [member.accessToken, await createApiToken(app, admin, ['read:org'])]) {
      expect((await app.api.call('DELETE', pathOf(admin, id), { token })).status).toBe(403);
    }
    expect((await revoke(id, stranger)).status).toBe(404);
    expect((await app.api.call('DELETE', pathOf(stranger, id), { token: admin.accessToken })).status).toBe(404);
    expect((await revoke(id)).status).toBe(204);
  });
});
