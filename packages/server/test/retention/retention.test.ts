import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';

async function run(app: TestApp, name: string): Promise<void> {
  while (await app.runJob(name)) {
    // There is another portion to delete.
  }
}

const count = async (
  app: TestApp,
  admin: Member,
  table: string,
  where: string,
  values: unknown[] = [admin.organizationId],
) =>
  (await execute<{ n: number }>(app.database, `select count(*)::int as n from ${table} where ${where}`, values))[0]?.n;

describe('seat sessions', () => {
  it('are deleted 400 days after they ended, in portions, with the daily usage of projects', async ({ app, admin }) => {
    const insert = `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at,
        last_heartbeat, ended_at, status)
      select $1, 'sess_' || $2::text || n, 'lic_x', 'usr_x', 'hw_x', t.at, t.at, t.at, 'released'
      from generate_series(1, $4::int) n, (select clock_timestamp() - $3::float8 * interval '1 day' as at) t`;
    await execute(app.database, insert, [admin.organizationId, 'old', 400.1, 2_500]);
    await execute(app.database, insert, [admin.organizationId, 'new', 399.9, 3]);
    await execute(
      app.database,
      `insert into project_usage_days (organization_id, project_id, day)
        select $1, 'proj_x', date_trunc('day', clock_timestamp()) - n * interval '1 day' from unnest(array[398, 402]) n`,
      [admin.organizationId],
    );
    await run(app, 'licensing.delete-old-sessions');
    expect(await count(app, admin, 'seat_sessions', `organization_id = $1 and id like 'sess_old%'`)).toBe(0);
    expect(await count(app, admin, 'seat_sessions', `organization_id = $1 and id like 'sess_new%'`)).toBe(3);
    expect(await count(app, admin, 'project_usage_days', 'organization_id = $1')).toBe(1);
  });
});

describe('the audit log', () => {
  it('is deleted after 400 days', async ({ app, admin }) => {
    const age = `update audit_entries set created_at = clock_timestamp() - $2::float8 * interval '1 day'
      where organization_id = $1`;
    await execute(app.database, age, [admin.organizationId, 399.9]);
    await run(app, 'audit.delete-old-entries');
    expect(await count(app, admin, 'audit_entries', 'organization_id = $1')).toBeGreaterThan(0);
    await execute(app.database, age, [admin.organizationId, 400.1]);
    await run(app, 'audit.delete-old-entries');
    expect(await count(app, admin, 'audit_entries', 'organization_id = $1')).toBe(0);
  });
});

describe('the audit log of the installation', () => {
  const plant = (app: TestApp, age: number) =>
    execute(
      app.database,
      `insert into audit_entries (organization_id, id, action, credential_kind, target_type, target_id, created_at)
        select 'installation', 'ae_' || $1::text || '_' || n, 'signing_key.rotated', 'operator', 'signing_key', 'k',
          t.at from generate_series(1, 1100) n,
          (select clock_timestamp() - $1::float8 * interval '1 day' as at) t`,
      [age],
    );

  it('is deleted after 400 days, in portions, although no organization has its ID', async ({ app, admin }) => {
    await plant(app, 400.1);
    await plant(app, 399.9);
    await run(app, 'audit.delete-old-entries');
    const kept = "organization_id = 'installation' and action = 'signing_key.rotated'";
    expect(await count(app, admin, 'audit_entries', kept, [])).toBe(1_100);
    expect(await count(app, admin, 'audit_entries', `${kept} and id like 'ae_400.1%'`, [])).toBe(0);
  });
});

describe('tokens, invitations and apps', () => {
  it('are deleted 30 days after they ended, while live ones stay', async ({ app, admin }) => {
    const grace = await app.register();
    const make = async (name: string) => {
      const input = { name, scopes: ['read:profile'], expires_at: null };
      return (await app.api.post('/v1/api-tokens', grace.accessToken, input)).body.data.id;
    };
    const [revoked, living] = [await make('revoked'), await make('living')];
    await app.api.call('DELETE', `/v1/api-tokens/${revoked}`, { token: grace.accessToken });
    const target = {
      name: 'Console',
      redirect_uris: ['https://c.example.com/'],
      scopes: ['read:profile'],
      confidential: true,
    };
    const { id: appId } = (await app.api.post('/v1/oauth-apps', grace.accessToken, target)).body.data;
    await app.api.call('DELETE', `/v1/oauth-apps/${appId}`, { token: grace.accessToken });
    const invitation = { email: `${randomBytes(6).toString('hex')}@example.com`, role: 'member' };
    await app.api.post(`/v1/orgs/${grace.organizationId}/invitations`, grace.accessToken, invitation);
    const runSweeps = async () => {
      await run(app, 'auth.delete-forgotten-tokens');
      await run(app, 'oauth.delete-forgotten-grants');
    };
    const left = () =>
      Promise.all([
        count(app, admin, 'api_tokens', 'id = any($1)', [[revoked, living]]),
        count(app, admin, 'bearer_tokens', 'source_id = any($1)', [[revoked, living]]),
        count(app, admin, 'oauth_apps', 'id = $1', [appId]),
        count(app, admin, 'invitations', 'organization_id = $1', [grace.organizationId]),
      ]);
    await runSweeps();
    expect(await left()).toEqual([2, 2, 1, 1]);
    const past = `clock_timestamp() - interval '31 days'`;
    await execute(app.database, `update api_tokens set revoked_at = ${past} where id = $1`, [revoked]);
    await execute(
      app.database,
      `update bearer_tokens set revoked_at = ${past}, expires_at = ${past} where source_id = $1`,
      [revoked],
    );
    await execute(app.database, `update oauth_apps set deleted_at = ${past} where id = $1`, [appId]);
    await execute(app.database, `update invitations set expires_at = ${past} where organization_id = $1`, [
      grace.organizationId,
    ]);
    await runSweeps();
    expect(await left()).toEqual([1, 1, 0, 0]);
  });
});

describe('invoices', () => {
  /** Invoices 1 to n of an organization, this many days old, each paid by one payment. */
  async function plant(app: TestApp, organizationId: string, ages: readonly number[]): Promise<void> {
    await execute(
      app.database,
      `insert into billing_accounts (organization_id, invoice_code, last_invoice_number, created_at)
        values ($1, $2, $3, clock_timestamp())`,
      [organizationId, organizationId.slice(-8).toUpperCase(), ages.length],
    );
    for (const [index, days] of ages.entries()) {
      const id = `inv_${organizationId}_${index + 1}`;
      const number = `${organizationId.slice(-8).toUpperCase()}-${String(index + 1).padStart(6, '0')}`;
      const lines = [{ description: 'Pro', quantity: 1, unit_amount: 100, amount: 100 }];
      await execute(
        app.database,
        `insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index,
            period_start, period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer,
            created_at, paid_at)
          select $1, $2, $3, $4::int, 'paid', 'sub_x', 'create', $4::int, t, t, 'usd', 100, 0, 0, 100, 100, $5, '{}', t, t
          from (select clock_timestamp() - $6::float8 * interval '1 day' as t) n`,
        [organizationId, id, number, index + 1, JSON.stringify(lines), days],
      );
      await execute(
        app.database,
        `insert into payments (organization_id, id, subscription_id, invoice_id, purpose, intent, amount, currency,
            is_on_session, payment_method_id, method_ref, customer_ref, provider, status, created_at, settled_at)
          select $1, 'pay_' || $2::text, 'sub_x', $2::text, 'create', '{}', 100, 'usd', true, 'pm_x', 'm', 'c', 'test',
            'succeeded', t, t from (select clock_timestamp() - $3::float8 * interval '1 day' as t) n`,
        [organizationId, id, days],
      );
    }
  }

  const numbersOf = async (app: TestApp, organizationId: string) =>
    (
      await execute<{ sequence: number }>(
        app.database,
        'select sequence from invoices where organization_id = $1 order by sequence',
        [organizationId],
      )
    ).map(({ sequence }) => sequence);

  it('are deleted after ten years with their payments, oldest first and without a gap', async ({ app, admin }) => {
    const { organizationId } = await app.register();
    // The third is younger than its neighbors, as after a clock was moved: nothing after it is deleted.
    await plant(app, organizationId, [4_000, 3_700, 3_600, 3_700, 10]);
    await execute(app.database, `delete from events where organization_id = $1`, [organizationId]);
    await run(app, 'billing.delete-old-books');
    expect(await numbersOf(app, organizationId)).toEqual([3, 4, 5]);
    expect(await count(app, admin, 'payments', 'organization_id = $1', [organizationId])).toBe(3);
    const first = 'select first_kept_invoice_number as n from billing_accounts where organization_id = $1';
    expect(await execute(app.database, first, [organizationId])).toEqual([{ n: 3 }]);
    // The remaining numbers, sums and payments still agree.
    const faults = await requireInvariants(app.database).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(faults.split('\n').filter((line) => /number|collected|sum/.test(line))).toEqual([]);
  });

  it('that are open are kept, and so are all after them', async ({ app }) => {
    const { organizationId } = await app.register();
    await plant(app, organizationId, [4_000, 4_000, 4_000]);
    await execute(
      app.database,
      `update invoices set status = 'open', paid_at = null, amount_paid = 0 where organization_id = $1 and sequence = 2`,
      [organizationId],
    );
    await run(app, 'billing.delete-old-books');
    expect(await numbersOf(app, organizationId)).toEqual([2, 3]);
  });
});

it('nothing is deleted if every setting is 0', async () => {
  const names = ['', '_SEAT_SESSIONS', '_AUDIT', '_TOKENS', '_UNVERIFIED_USERS', '_SANDBOX_ORGS', '_INVOICES'];
  const settings = Object.fromEntries(names.map((name) => [`SEATHOLD_RETENTION${name}_DAYS`, '0']));
  const sandbox = await startTestApp({ environment: 'sandbox', settings });
  try {
    const jobs = sandbox.service.jobs.map(({ name }) => name);
    for (const name of [
      'webhooks.delete-old-events',
      'licensing.delete-old-sessions',
      'audit.delete-old-entries',
      'auth.delete-forgotten-tokens',
      'oauth.delete-forgotten-grants',
      'auth.delete-unverified-users',
      'auth.delete-abandoned-organizations',
      'billing.delete-old-books',
    ]) {
      expect(jobs).not.toContain(name);
    }
  } finally {
    await sandbox.close();
  }
});
