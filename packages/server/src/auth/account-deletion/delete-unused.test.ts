import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { requireInvariants } from '../../../test/harness/require-invariants.ts';
import type { Clock } from '../../clock/index.ts';

const DAY_MS = 86_400_000;

/** Real time for everything except the jobs' clock. */
class LaterClock implements Clock {
  aheadMs = 0;
  nowMs = () => Date.now() + this.aheadMs;
}

const clock = new LaterClock();
let sandbox: TestApp;
let production: TestApp;
beforeAll(async () => {
  sandbox = await startTestApp({ environment: 'sandbox', clock });
  production = await startTestApp({ clock });
});
afterAll(async () => {
  await sandbox.close();
  await production.close();
});

/** Runs a job as if this many days had passed. */
async function runAfter(test: TestApp, days: number, ...names: string[]): Promise<void> {
  clock.aheadMs = days * DAY_MS;
  try {
    for (const name of names) {
      while (await test.runJob(name)) {
        // There is another page.
      }
    }
  } finally {
    clock.aheadMs = 0;
  }
}

const exists = async (test: TestApp, { userId }: Member) =>
  (await execute(test.database, 'select id from users where id = $1 and deleted_at is null', [userId])).length > 0;
const isAlive = async (test: TestApp, organizationId: string) =>
  (await execute(test.database, 'select id from organizations where id = $1 and deleted_at is null', [organizationId]))
    .length > 0;
const verify = (test: TestApp, { userId }: Member) =>
  execute(test.database, 'update users set email_verified_at = created_at where id = $1', [userId]);

describe('a user who never verified the address', () => {
  const UNVERIFIED = 'auth.delete-unverified-users';

  it('is deleted after 30 days without activity, and never before or once verified', async () => {
    const [forgotten, verified] = [await production.register(), await production.register()];
    await verify(production, verified);
    await runAfter(production, 29, UNVERIFIED);
    expect(await exists(production, forgotten)).toBe(true);
    await runAfter(production, 31, UNVERIFIED);
    expect([await exists(production, forgotten), await exists(production, verified)]).toEqual([false, true]);
    expect(await isAlive(production, forgotten.organizationId)).toBe(false);
  });

  it('stays while a login or an API token is used', async () => {
    const [seen, calling] = [await production.register(), await production.register()];
    const input = { name: 'ci', scopes: ['read:profile'] };
    await production.api.post('/v1/api-tokens', calling.accessToken, input);
    await execute(
      production.database,
      `update login_sessions set last_seen_at = last_seen_at + interval '20 days'
      where user_id = $1`,
      [seen.userId],
    );
    await execute(
      production.database,
      `update api_tokens set last_used_at = created_at + interval '20 days'
      where user_id = $1`,
      [calling.userId],
    );
    await runAfter(production, 45, UNVERIFIED);
    expect([await exists(production, seen), await exists(production, calling)]).toEqual([true, true]);
  });

  it('stays if their organization owns a license or would be left without an admin', async () => {
    const [owner, admin] = [await production.register(), await production.register()];
    await production.issueLicense(owner.organizationId);
    const member = await joinOrganization(production, admin);
    await runAfter(production, 31, UNVERIFIED);
    expect(await Promise.all([owner, admin, member].map((each) => exists(production, each)))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('an unused organization of the sandbox', () => {
  const ABANDONED = 'auth.delete-abandoned-organizations';

  it('is deleted after 90 days, together with its only user, subscriptions and invoices', async () => {
    const ada = await sandbox.register();
    await verify(sandbox, ada);
    const plans: Array<{ id: string; price: number | null }> = (await sandbox.api.get('/v1/plans')).body.data;
    const plan = plans.find(({ price }) => price !== null && price > 0);
    const order = { plan_id: plan?.id, quantity: 500, payment_method_id: 'pm_card_visa' };
    expect((await sandbox.api.post('/v1/subscriptions', ada.accessToken, order)).status).toBe(201);
    await runAfter(sandbox, 89, ABANDONED);
    expect(await isAlive(sandbox, ada.organizationId)).toBe(true);
    await runAfter(sandbox, 91, ABANDONED);
    expect([await isAlive(sandbox, ada.organizationId), await exists(sandbox, ada)]).toEqual([false, false]);
    await sandbox.runJobs();
    for (const table of ['subscriptions', 'invoices', 'licenses', 'seat_slots', 'payments']) {
      const left = await execute(sandbox.database, `select 1 as one from ${table} where organization_id = $1`, [
        ada.organizationId,
      ]);
      expect(left, table).toEqual([]);
    }
    await requireInvariants(sandbox.database);
  });

  it('is kept while a seat is held, or after a recent acquire or event', async () => {
    const [holding, taken, told, quiet] = await Promise.all([
      sandbox.register(),
      sandbox.register(),
      sandbox.register(),
      sandbox.register(),
    ]);
    for (const each of [holding, taken, told, quiet]) {
      await verify(sandbox, each);
    }
    const license = await sandbox.issueLicense(holding.organizationId);
    const body = { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
    expect((await sandbox.api.post('/v1/licenses/acquire', holding.accessToken, body)).status).toBe(201);
    // Dated to the jobs' clock, far in the future, because IDs contain their time of creation.
    const late = '7zzzzzzzzzzzzzzzzzzzzzzzzz';
    await execute(
      sandbox.database,
      `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat,
          ended_at, status)
        values ($1, $2, 'lic_x', $3, 'hw_x', clock_timestamp(), clock_timestamp(), clock_timestamp(), 'released')`,
      [taken.organizationId, `sess_${late}`, taken.userId],
    );
    const event = `insert into events (organization_id, id, type, created, object)
      select $1, $2, e.type, clock_timestamp(), e.object from events e where e.organization_id = $3 and e.type = $4 limit 1`;
    const acquired = 'license.seat.acquired';
    await execute(sandbox.database, event, [told.organizationId, `evt_${late}`, holding.organizationId, acquired]);
    await runAfter(sandbox, 91, ABANDONED);
    const alive = [holding, taken, told, quiet].map(({ organizationId }) => isAlive(sandbox, organizationId));
    expect(await Promise.all(alive)).toEqual([true, true, true, false]);
  });

  it('is never deleted in production', () => {
    expect(production.service.jobs.map(({ name }) => name)).not.toContain(ABANDONED);
    expect(sandbox.service.jobs.map(({ name }) => name)).toContain(ABANDONED);
  });
});
