import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock } from '../../../test/harness/two-factor.ts';
import { makeRoleTokens } from '../../../test/usage/usage-world.ts';

const clock = new MovedClock();
const it = createTest({ environment: 'sandbox', clock }).extend('tokens', { scope: 'file' }, ({ app }) =>
  makeRoleTokens(app),
);

const PATH = '/v1/operator/organizations';
const INPUT = { name: 'Acme Film', admin_email: 'Grace@Acme.example.com' };
let addresses = 0;
const input = (more: object = {}) => {
  addresses += 1;
  return { name: 'Acme Film', admin_email: `grace${addresses}@acme.example.com`, ...more };
};
const remove = (app: TestApp, token: string, id: string, confirm: string) =>
  app.api.call('DELETE', `${PATH}/${id}`, { token, body: { confirm } });

describe('POST /v1/operator/organizations', () => {
  it('creates a customer whose first admin is invited', async ({ app }) => {
    const support = await registerStaff(app, clock, 'support');
    const details = { legal_name: 'Acme Film Ltd', tax_id: 'GB123456789' };
    const notes = { notes: 'Met at a fair', external_id: 'CRM-7', metadata: { region: 'emea' } };
    const created = await app.api.post(PATH, support.accessToken, { ...INPUT, billing_details: details, ...notes });
    expect([created.status, created.body.error]).toEqual([201, undefined]);
    const { id, invitation } = created.body.data;
    expect(created.body.data).toMatchObject({
      name: 'Acme Film',
      slug: 'acme-film',
      status: 'active',
      member_count: 0,
      billing_details: { ...details, address: null, email: null },
      ...notes,
    });
    expect(invitation).toMatchObject({ email: 'grace@acme.example.com', role: 'admin', status: 'pending' });
    expect(JSON.stringify(created.body)).not.toContain('svc_');

    const grace = (
      await app.api.post('/v1/auth/register', undefined, {
        email: INPUT.admin_email,
        name: 'Grace',
        password: 'a long and unusual password',
      })
    ).body.data;
    const mail = (await app.mailsTo('grace@acme.example.com')).find(({ kind }) => kind === 'invitation');
    const accepted = await app.api.post('/v1/invitations/accept', grace.access_token, { token: mail?.code });
    expect(accepted.body.data).toMatchObject({ id, role: 'admin', member_count: 1 });

    const there = { 'x-organization-id': id };
    const log = (await app.api.get('/v1/audit-log', grace.access_token, there)).body.data;
    const acts = log.map((entry: { action: string; actor: { type: string; id: string } }) => [
      entry.action,
      entry.actor.type,
      entry.actor.id === support.userId,
    ]);
    expect(acts).toEqual(
      expect.arrayContaining([
        ['organization.created', 'staff', true],
        ['invitation.created', 'staff', true],
      ]),
    );
    expect(JSON.stringify(log)).not.toMatch(/Met at a fair|CRM-7|emea/);
    const events = (await app.api.get('/v1/events?type=org.member.invited', grace.access_token, there)).body.data;
    expect(events[0].data.object).toMatchObject({ invitation_id: invitation.id, email: invitation.email });
  });

  it('lets staff act for the customer before anyone has accepted, and invite again', async ({ app, tokens }) => {
    const { id, invitation } = (await app.api.post(PATH, tokens.support, input())).body.data;
    const there = { 'x-organization-id': id };
    const terms = { organization_id: id, product: 'seathold-demo', max_seats: 2, expires_at: null };
    expect((await app.api.post('/v1/operator/licenses', tokens.support, terms)).status).toBe(201);
    const path = `/v1/orgs/${id}/invitations`;
    expect(
      (await app.api.call('DELETE', `${path}/${invitation.id}`, { token: tokens.support, headers: there })).status,
    ).toBe(204);
    const again = await app.api.post(path, tokens.support, { email: invitation.email, role: 'admin' }, there);
    expect(again.status).toBe(201);
  });

  it('creates one of two with the same Idempotency-Key, and gives two of the same name different slugs', async ({
    app,
    tokens,
  }) => {
    const body = input({ name: 'Twins' });
    const once = { 'idempotency-key': 'twins' };
    const answers = [
      await app.api.post(PATH, tokens.support, body, once),
      await app.api.post(PATH, tokens.support, body, once),
      await app.api.post(PATH, tokens.support, input({ name: 'Twins' })),
    ];
    const [one, same, other] = answers.map((answer) => answer.body.data);
    expect(same).toEqual(one);
    expect([one.slug, other.slug]).toEqual(['twins', expect.stringMatching(/^twins-/)]);
  });

  it('400, 401, 403', async ({ app, tokens, ada }) => {
    const errorOf = async (token: string | undefined, body: object) =>
      (await app.api.post(PATH, token, body)).body.error;
    const { support } = tokens;
    expect(await errorOf(support, { name: 'x' })).toMatchObject({ details: { field: 'admin_email' } });
    expect(await errorOf(support, { ...INPUT, admin_email: 'nobody' })).toMatchObject({ code: 'invalid_request' });
    expect(await errorOf(support, input({ slug: 'mine' }))).toMatchObject({ details: { reason: 'unknown' } });
    expect(await errorOf(support, input({ metadata: { '': 'x' } }))).toMatchObject({ details: { field: 'metadata' } });
    expect(await errorOf(undefined, input())).toMatchObject({ code: 'invalid_token' });
    expect(await errorOf(ada.accessToken, input())).toMatchObject({ code: 'insufficient_scope' });
    for (const token of [tokens.viewer, tokens.finance]) {
      expect(await errorOf(token, input())).toMatchObject({ details: { required_role: 'support' } });
    }
  });
});

describe('DELETE /v1/operator/organizations/{id}', () => {
  it('removes access for a customer’s members immediately, and erases the customer’s data', async ({
    app,
    tokens,
    ada,
  }) => {
    const { key } = await app.issueLicense(ada.organizationId);
    const { name } = (await app.api.get(`${PATH}/${ada.organizationId}`, tokens.owner)).body.data;
    const deleted = await remove(app, tokens.owner, ada.organizationId, name);
    expect([deleted.status, deleted.body.data]).toEqual([202, { id: ada.organizationId, deleted: true }]);
    expect((await app.api.get('/v1/licenses', ada.accessToken)).body.error.code).toBe('invalid_token');
    expect((await remove(app, tokens.owner, ada.organizationId, name)).status).toBe(404);
    await app.runJobs();
    expect((await app.api.get(`/v1/operator/licenses?key=${key}`, tokens.viewer)).body.data).toEqual([]);
    const path = `/v1/operator/audit-log?organization_id=${ada.organizationId}&action=organization.deleted`;
    const [entry] = (await app.api.get(path, tokens.viewer)).body.data;
    expect(entry.actor.type).toBe('operator_token');
  });

  it('is reserved for owners, requires the name, and is refused during a live subscription', async ({
    app,
    tokens,
    ada,
  }) => {
    const { name } = (await app.api.get(`${PATH}/${ada.organizationId}`, tokens.owner)).body.data;
    for (const token of [tokens.viewer, tokens.support, tokens.finance]) {
      const refused = await remove(app, token, ada.organizationId, name);
      expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'owner' } });
    }
    expect((await remove(app, ada.accessToken, ada.organizationId, name)).body.error.code).toBe('insufficient_scope');
    const mistyped = await remove(app, tokens.owner, ada.organizationId, `${name}.`);
    expect(mistyped.body.error).toMatchObject({ code: 'validation_failed', details: { field: 'confirm' } });
    const plans: Array<{ id: string; price: number | null }> = (await app.api.get('/v1/plans')).body.data;
    const plan = plans.find(({ price }) => price !== null && price > 0);
    const order = { plan_id: plan?.id, quantity: 1, payment_method_id: 'pm_card_visa' };
    const bought = await app.api.post('/v1/subscriptions', ada.accessToken, order);
    expect((await remove(app, tokens.owner, ada.organizationId, name)).body.error.code).toBe('conflict');
    await app.api.post(`/v1/subscriptions/${bought.body.data.id}/cancel`, ada.accessToken, {
      cancel_immediately: true,
    });
    expect((await remove(app, tokens.owner, ada.organizationId, name)).status).toBe(202);
  });

  it('refuses an owner whose login did not pass two-factor', async ({ app, ada: { organizationId } }) => {
    const owner = await registerStaff(app, clock, 'owner');
    await execute(app.database, 'update login_sessions set passed_two_factor = false where user_id = $1', [
      owner.userId,
    ]);
    const refused = await remove(app, owner.accessToken, organizationId, 'any');
    expect(refused.body.error.code).toBe('two_factor_required');
  });
});
