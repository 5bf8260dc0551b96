import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database, type Queries } from '../../src/database/index.ts';
import type { Finding } from '../../src/operator/finding.ts';
import { examineInstallationInvariants } from '../../src/operator/invariants/examine-installation-invariants.ts';
import { examineInvariants } from '../../src/operator/invariants/examine-invariants.ts';
import { cloneDatabase, PATIENCE_MS } from '../harness/clone-database.ts';
import { execute } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { MONEY_BREAKAGES } from './break-money.ts';
import { SUBSCRIPTION_BREAKAGES } from './break-subscriptions.ts';
import { ACTIVE, LICENSE, ORG, plantCommerce } from './plant-commerce.ts';

let database: Database;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await cloneDatabase();
  database = new Database(databaseUrl, { connections: 2, maxWaiting: 10, patienceMs: PATIENCE_MS }, () => undefined);
  await plantCommerce(database);
});

afterAll(() => database.close());

class Undone extends Error {}

/** Lets `work` break anything, without the constraints that would prevent it, and rolls it back. */
async function undone(work: (tx: Queries) => Promise<void>): Promise<void> {
  const undoing = database.transaction(async (tx) => {
    await execute(tx, DROP_GUARDS);
    await work(tx);
    throw new Undone();
  });
  await expect(undoing).rejects.toThrow(Undone);
}

const DROP_GUARDS = `do $$ declare guard record; begin
  for guard in select conrelid::regclass as holder, conname from pg_constraint c
    where contype in ('c', 'f') and connamespace = 'public'::regnamespace loop
    execute format('alter table %s drop constraint %I', guard.holder, guard.conname);
  end loop;
  for guard in select indexrelid::regclass as index from pg_index i join pg_class t on t.oid = i.indrelid
    where i.indisunique and not i.indisprimary and t.relnamespace = 'public'::regnamespace and not exists (
      select from pg_constraint where conindid = i.indexrelid) loop
    execute format('drop index %s', guard.index);
  end loop;
end $$`;

const noPause = () => Promise.resolve();

async function examineBroken(breakage: string, retentionDays = 30): Promise<Finding[]> {
  let findings: Finding[] = [];
  await undone(async (tx) => {
    for (const statement of breakage.split(';')) {
      await execute(tx, statement);
    }
    findings = await examineInvariants(tx, { pause: noPause, retentionDays });
  });
  return findings.filter((finding) => !finding.ok);
}

it('a healthy database has no faults, and every row is checked', async () => {
  const findings = await examineInvariants(database);
  expect(findings.filter((finding) => !finding.ok)).toEqual([]);
  expect(findings.every(({ detail }) => /^[1-9]\d* checked$/.test(detail))).toBe(true);
  await requireInvariants(database);
});

it.each([...SUBSCRIPTION_BREAKAGES, ...MONEY_BREAKAGES])('%s: broken, it names %s', async (promise, id, breakage) => {
  const broken = await examineBroken(breakage);
  const finding = broken.find((each) => each.check === promise);
  expect(finding?.faults?.some((fault) => fault.startsWith(`${id} of `) || fault.startsWith(`${id}: `))).toBe(true);
});

it('a change older than the event retention needs no event', async () => {
  const oldMethods = `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4,
      exp_month, exp_year, is_default, created_at, removed_at)
    select '${ORG}', 'pm_old_' || n, 'test', 'old' || n, 'card', 'visa', '4242', 1, 2030, false, old, old
    from generate_series(1, 1201) n, (select clock_timestamp() - interval '31 days' as old) t`;
  expect(await examineBroken(oldMethods)).toEqual([]);
  // If many rows are wrong, all are counted, over as many portions as it takes, and a hundred are reported.
  const [finding, ...others] = await examineBroken(oldMethods, 32);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ ok: false, detail: '1201 of 1203 are wrong' });
  expect(finding?.faults).toHaveLength(100);
});

it('a fault that is gone at the second look is not reported', async () => {
  await undone(async (tx) => {
    await execute(tx, 'update billing_credits set balance = balance + 1');
    let looks = 0;
    const findings = await examineInvariants(tx, {
      pause: async () => {
        looks += 1;
        await execute(tx, 'update billing_credits set balance = balance - 1');
      },
    });
    expect([looks, findings.filter((finding) => !finding.ok)]).toEqual([1, []]);
  });
});

it('a check that cannot run counts as a fault, and the others still run', async () => {
  await execute(database, 'alter table coupons rename to coupons_gone');
  try {
    const broken = (await examineInvariants(database, { pause: noPause })).filter((finding) => !finding.ok);
    expect(broken).toHaveLength(1);
    expect(broken[0]?.detail).toMatch(/^could not be checked: .*coupons/);
  } finally {
    await execute(database, 'alter table coupons_gone rename to coupons');
  }
});

it('a test that breaks an invariant fails with the fault', async () => {
  await undone(async (tx) => {
    await execute(tx, `update licenses set max_seats = 6 where id = '${LICENSE}'`);
    await expect(requireInvariants(tx)).rejects.toThrow(`${ACTIVE} of ${ORG}: ${LICENSE} has 6 seats, not 5`);
  });
});

it('the command checks production and the sandbox, and names the environment', async () => {
  const sandbox = await cloneDatabase();
  await execute(database, `update plans set tier = 'enterprise' where id = 'plan_planted'`);
  try {
    const findings = await examineInstallationInvariants({
      DATABASE_URL: databaseUrl,
      SANDBOX_DATABASE_URL: sandbox,
      SEATHOLD_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    expect(findings.filter((finding) => !finding.ok)).toMatchObject([
      {
        check:
          'production: the rate-limit tier of an organization is that of its best live plan or, without one, of its best license',
        faults: [`${ORG}: its tier is pro, but its best live plan has enterprise and its best license none`],
      },
    ]);
    expect(findings.filter(({ check }) => check.startsWith('sandbox: '))).toHaveLength(findings.length / 2);
  } finally {
    await execute(database, `update plans set tier = 'pro' where id = 'plan_planted'`);
  }
});
