import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { findInTables } from '../../../test/harness/find-in-tables.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../../../test/harness/join-organization.ts';
import { requireInvariants } from '../../../test/harness/require-invariants.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ environment: 'sandbox', clock });
beforeEach(() => clock.nextStep(3));

const deleteAccount = (app: TestApp, member: Member, body: unknown = { password: member.password }) =>
  app.api.call('DELETE', '/v1/me', { token: member.accessToken, body });
const logIn = (app: TestApp, { email, password }: Member) =>
  app.api.post('/v1/auth/login', undefined, { email, password });
const inOrganization = (owner: Member) => ({ 'x-organization-id': owner.organizationId });
const metadata = (name: string) => ({ hostname: `host-of-${name}`, project_id: undefined });

/** Leaves a user's traces in an organization: a seat, a token, an invitation, and a stored response. */
async function use(app: TestApp, member: Member, owner: Member, name: string): Promise<void> {
  const license = await app.issueLicense(owner.organizationId);
  const body = {
    license_key: license.key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
    metadata: metadata(name),
  };
  const acquire = () => app.api.post('/v1/licenses/acquire', member.accessToken, body, inOrganization(owner));
  const { session_id } = (await acquire()).body.data;
  await app.api.post('/v1/licenses/release', member.accessToken, { session_id }, inOrganization(owner));
  expect((await acquire()).status).toBe(201);
  const token = { name: `token of ${name}`, scopes: ['read:org'] };
  const headers = { ...inOrganization(owner), 'idempotency-key': 'once' };
  expect((await app.api.post('/v1/api-tokens', member.accessToken, token, headers)).status).toBe(201);
}

/** The tables that still name an organization. Request records hold only IDs, for seven days. */
const findLeft = async (app: TestApp, organizationId: string) =>
  (await findInTables(app.database, organizationId)).filter((table) => table !== 'request_records');

describe('DELETE /v1/me', () => {
  it('204: revokes all tokens immediately, on other processes too', async ({ app, second, ada }) => {
    const token = await createApiToken(app, ada, ['read:profile']);
    for (const each of [ada.accessToken, token]) {
      expect((await second.api.get('/v1/me', each)).status).toBe(200);
    }
    expect((await deleteAccount(app, ada)).status).toBe(204);
    for (const each of [ada.accessToken, token]) {
      expect((await second.api.get('/v1/me', each)).body.error.code).toBe('invalid_token');
    }
    const refresh = { refresh_token: ada.refreshToken };
    expect((await second.api.post('/v1/auth/refresh', undefined, refresh)).status).toBe(401);
    expect((await logIn(app, ada)).body.error.code).toBe('invalid_credentials');
  });

  it('lets the same address register again immediately, as a new user', async ({ app, ada }) => {
    await deleteAccount(app, ada);
    const { email, password } = ada;
    const again = await app.api.post('/v1/auth/register', undefined, { email, password, name: 'Ada Again' });
    expect(again.status).toBe(201);
    await app.runJobs();
    expect(again.body.data.user.id).not.toBe(ada.userId);
    expect((await app.api.get('/v1/me', again.body.data.access_token)).body.data.name).toBe('Ada Again');
  });

  it('removes the address, name and host from every table within one run of the jobs', async ({ app }) => {
    const owner = await app.register('Owner Test');
    const name = `Zephyrine ${randomBytes(6).toString('hex')}`;
    const ada = await joinOrganization(app, owner, 'admin', name);
    const stranger = `${randomBytes(6).toString('hex')}@example.com`;
    await app.api.post(`/v1/orgs/${owner.organizationId}/invitations`, ada.accessToken, {
      email: stranger,
      role: 'member',
    });
    await inviteToOrganization(app, await app.register(), 'member', ada.email);
    await use(app, ada, owner, name);
    await app.api.call('PATCH', `/v1/orgs/${owner.organizationId}/members/${ada.userId}`, {
      token: owner.accessToken,
      body: { role: 'billing' },
    });
    await app.api.call('PATCH', '/v1/me', { token: ada.accessToken, body: { name: `${name} II` } });
    await app.api.post('/v1/auth/password/forgot', undefined, { email: ada.email });
    expect(await findInTables(app.database, ada.email)).toEqual(
      expect.arrayContaining(['audit_entries', 'events', 'invitations', 'outgoing_mails', 'users']),
    );
    expect((await deleteAccount(app, ada)).status).toBe(204);
    await app.runJobs();
    for (const trace of [ada.email, name, `host-of-${name}`]) {
      expect(await findInTables(app.database, trace), trace).toEqual([]);
    }
    // The ID stays where it records who did what.
    expect(await findInTables(app.database, ada.userId)).toEqual(expect.arrayContaining(['audit_entries', 'events']));
    const addresses = 'select 1 as one from audit_entries where actor_user_id = $1 and client_address is not null';
    expect(await execute(app.database, addresses, [ada.userId])).toEqual([]);
    expect(await execute(app.database, 'select id from users where id = $1', [ada.userId])).toEqual([]);
    await requireInvariants(app.database);
  });

  it('deletes an organization without other members, with all its data', async ({ app, ada }) => {
    await use(app, ada, ada, 'ada');
    await app.api.post('/v1/projects', ada.accessToken, { name: 'Film' });
    const endpoint = { url: 'https://93.184.216.34/hooks', events: ['*'] };
    await app.api.post('/v1/webhooks', ada.accessToken, endpoint);
    expect((await deleteAccount(app, ada)).status).toBe(204);
    await app.runJobs();
    // Checking for debts created billing's account row.
    const left = await findLeft(app, ada.organizationId);
    expect(left.filter((table) => table !== 'billing_accounts')).toEqual(['audit_entries', 'organizations']);
    const kept = 'select name, billing_details, erased_at is not null as is_erased from organizations where id = $1';
    expect(await execute(app.database, kept, [ada.organizationId])).toEqual([
      { name: 'Deleted organization', billing_details: null, is_erased: true },
    ]);
    const details = `select 1 as one from audit_entries
      where organization_id = $1 and (before is not null or after is not null or client_address is not null)`;
    expect(await execute(app.database, details, [ada.organizationId])).toEqual([]);
  });

  it('401: refuses a wrong password and counts it as a failed login', async ({ app, ada }) => {
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await deleteAccount(app, ada, { password: 'not it at all' })).body.error.code).toBe(
        'invalid_credentials',
      );
    }
    expect((await deleteAccount(app, ada)).body.error.code).toBe('invalid_credentials');
    expect((await logIn(app, ada)).body.error.code).toBe('invalid_credentials');
    const locked = 'select locked_until is not null as is_locked from users where id = $1';
    expect(await execute(app.database, locked, [ada.userId])).toEqual([{ is_locked: true }]);
  });

  it('400: requires the password, and a code when two-factor is on', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    expect((await deleteAccount(app, ada, {})).body.error.details).toEqual({ field: 'password', reason: 'required' });
    expect((await deleteAccount(app, ada)).body.error.details).toEqual({ field: 'code', reason: 'required' });
    const wrong = { password: ada.password, code: '000000' };
    expect((await deleteAccount(app, ada, wrong)).body.error.code).toBe('invalid_credentials');
    const right = { password: ada.password, code: codeAt(clock, ada.secret) };
    expect((await deleteAccount(app, ada, right)).status).toBe(204);
  });

  it('401 without a token, 403 with an API token', async ({ app, ada }) => {
    const token = await createApiToken(app, ada, ['write:profile', 'read:profile']);
    const body = { password: ada.password };
    expect((await app.api.call('DELETE', '/v1/me', { body })).status).toBe(401);
    expect((await app.api.call('DELETE', '/v1/me', { token, body })).body.error.code).toBe('forbidden');
  });

  it('409: refuses the last admin of an organization with other members', async ({ app, ada }) => {
    await joinOrganization(app, ada);
    expect((await deleteAccount(app, ada)).body.error.code).toBe('conflict');
    expect((await logIn(app, ada)).status).toBe(200);
    await joinOrganization(app, ada, 'admin');
    expect((await deleteAccount(app, ada)).status).toBe(204);
  });

  it('409: refuses the only member of an organization with a live subscription', async ({ app, ada }) => {
    const plans: Array<{ id: string; price: number | null }> = (await app.api.get('/v1/plans')).body.data;
    const plan = plans.find(({ price }) => price !== null && price > 0);
    const order = { plan_id: plan?.id, quantity: 1, payment_method_id: 'pm_card_visa' };
    const { id } = (await app.api.post('/v1/subscriptions', ada.accessToken, order)).body.data;
    expect((await deleteAccount(app, ada)).body.error.code).toBe('conflict');
    await app.api.post(`/v1/subscriptions/${id}/cancel`, ada.accessToken, { cancel_immediately: true });
    expect((await deleteAccount(app, ada)).status).toBe(204);
    await app.runJobs();
    await requireInvariants(app.database);
    // Sandbox money is deleted with the organization. The card is detached at the provider first; then no trace of it
    // is kept.
    await app.runJobs();
    expect(await findLeft(app, ada.organizationId)).toEqual(['audit_entries', 'organizations']);
  });

  it('lets only one of many concurrent requests on two processes succeed', async ({ app, second, ada }) => {
    const body = { password: ada.password };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        (n % 2 === 0 ? app : second).api.call('DELETE', '/v1/me', { token: ada.accessToken, body }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401, 401, 401, 401, 401]);
  });
});

describe('in production', () => {
  it('keeps the invoices of an organization that was deleted with its last user', async () => {
    const production = await startTestApp({ settings: { SEATHOLD_STRIPE_SECRET_KEY: '' } });
    try {
      const ada = await production.register();
      await execute(
        production.database,
        `insert into billing_accounts (organization_id, invoice_code, last_invoice_number, created_at)
          values ($1, 'KEPT', 1, clock_timestamp())`,
        [ada.organizationId],
      );
      await execute(
        production.database,
        `insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index,
            period_start, period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer,
            created_at, paid_at)
          values ($1, 'inv_kept', 'KEPT-000001', 1, 'paid', 'sub_gone', 'create', 0, '2026-01-01Z', '2026-02-01Z', 'usd',
            0, 0, 0, 0, 0, '[]', $2, clock_timestamp(), clock_timestamp())`,
        [ada.organizationId, JSON.stringify({ legal_name: 'Kept Ltd', email: ada.email })],
      );
      const body = { password: ada.password };
      expect((await production.api.call('DELETE', '/v1/me', { token: ada.accessToken, body })).status).toBe(204);
      await production.runJobs();
      expect(await findInTables(production.database, ada.email)).toEqual(['invoices']);
      expect(await findInTables(production.database, ada.organizationId)).toEqual([
        'audit_entries',
        'billing_accounts',
        'invoices',
        'organizations',
        'request_records',
      ]);
    } finally {
      await production.close();
    }
  });
});
