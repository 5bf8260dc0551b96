import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Database, type Queries } from '../../src/database/index.ts';
import { examineInstallationInvariants, examineInvariants, type Finding } from '../../src/operator/index.ts';
import { execute } from '../harness/index.ts';
import { cloneDatabase } from '../harness/postgres.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { ACTIVE, COUPON, ENDED, LICENSE, ORG, PAST_DUE, plantCommerce } from './plant-commerce.ts';

let database: Database;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await cloneDatabase(inject('postgresUrl'), `t_${randomBytes(6).toString('hex')}`);
  database = new Database(databaseUrl, { connections: 2, maxWaiting: 10 }, () => undefined);
  await plantCommerce(database);
});

afterAll(() => database.close());

class Undone extends Error {}

/** Lets `work` break what it wants, without the constraints that would keep it from that, and takes it back. */
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

it('a healthy world has no fault, and every row of it was looked at', async () => {
  const findings = await examineInvariants(database);
  expect(findings.filter((finding) => !finding.ok)).toEqual([]);
  expect(findings.every(({ detail }) => /^[1-9]\d* looked at$/.test(detail))).toBe(true);
  await requireInvariants(database);
});

it.each([
  [
    'the period of a subscription is a calendar month from its anchor',
    ACTIVE,
    `update subscriptions set current_period_end = current_period_end + interval '1 day' where id = '${ACTIVE}'`,
  ],
  [
    'what a period was billed is its exact cost, rounded',
    ACTIVE,
    `update subscriptions set period_billed = period_billed + 1 where id = '${ACTIVE}'`,
  ],
  [
    'the current period of a live subscription has its invoice',
    PAST_DUE,
    `update invoices set status = 'void' where id = 'inv_open'`,
  ],
  [
    'a subscription has no more seats than its plan sells',
    ACTIVE,
    `update subscriptions set quantity = 21 where id = '${ACTIVE}'`,
  ],
  [
    'a live subscription has something due, and an ended one nothing',
    ACTIVE,
    `update subscriptions set next_action_at = null where id = '${ACTIVE}'`,
  ],
  [
    'a live subscription has something due, and an ended one nothing',
    ENDED,
    `update subscriptions set next_action_at = clock_timestamp() where id = '${ENDED}'`,
  ],
  [
    'a live subscription has something due, and an ended one nothing',
    ACTIVE,
    `update subscriptions set pending_payment_id = 'pay_active' where id = '${ACTIVE}'`,
  ],
  [
    'a live subscription has something due, and an ended one nothing',
    ACTIVE,
    `update subscriptions set ended_at = clock_timestamp() where id = '${ACTIVE}'`,
  ],
  [
    'no live subscription is left behind by more than an hour',
    ACTIVE,
    `update subscriptions set current_period_end = clock_timestamp() - interval '2 hours' where id = '${ACTIVE}'`,
  ],
  [
    'no live subscription is left behind by more than an hour',
    PAST_DUE,
    `update subscriptions set next_action_at = clock_timestamp() - interval '2 hours' where id = '${PAST_DUE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `update licenses set max_seats = 6 where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `update licenses set product = 'other' where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `update licenses set features = '{}' where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `update licenses set expires_at = expires_at + interval '1 second' where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `update licenses set renews = false where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `delete from licenses where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    PAST_DUE,
    `update licenses set expires_at = expires_at + interval '1 day' where id = 'lic_past_due'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ENDED,
    `update licenses set expires_at = expires_at + interval '1 month' where id = 'lic_ended'`,
  ],
  [
    'the license of a subscription is what is paid for, and ends with it',
    ACTIVE,
    `update subscriptions set cancel_at_period_end = true where id = '${ACTIVE}'`,
  ],
  [
    'a license that names a subscription is the one of that subscription',
    LICENSE,
    `update licenses set subscription_id = '${ENDED}' where id = '${LICENSE}'`,
  ],
  [
    'the count of taken seats is what the seats say, and none was given beyond the license',
    LICENSE,
    `update license_seat_counts set taken = 2 where license_id = '${LICENSE}'`,
  ],
  [
    'the count of taken seats is what the seats say, and none was given beyond the license',
    LICENSE,
    `update licenses set max_seats = 0 where id = '${LICENSE}'; update seat_slots set started_at = clock_timestamp() where slot = 1`,
  ],
  [
    'a period is billed in advance once',
    'inv_open',
    `update invoices set reason = 'renewal', period_index = 1, status = 'open' where id = 'inv_void'`,
  ],
  [
    'the lines of an invoice multiply out and sum to what is due',
    'inv_active',
    `update invoices set lines = jsonb_set(lines, '{0,quantity}', '4') where id = 'inv_active'`,
  ],
  [
    'the lines of an invoice multiply out and sum to what is due',
    'inv_active',
    `update invoices set lines = lines - 1 where id = 'inv_active'`,
  ],
  [
    'the lines of an invoice multiply out and sum to what is due',
    'inv_active',
    `update invoices set lines = '[]' where id = 'inv_active'`,
  ],
  [
    'subtotal, discount and credit of an invoice come to what is due',
    'inv_active',
    `update invoices set discount = 1449 where id = 'inv_active'`,
  ],
  [
    'subtotal, discount and credit of an invoice come to what is due',
    'inv_open',
    `update invoices set subtotal = 0, discount = 1, amount_due = -1 where id = 'inv_open'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_active',
    `update payments set status = 'declined' where id = 'pay_active'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_active',
    `update payments set invoice_id = 'inv_active' where id = 'pay_ended'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_open',
    `update payments set status = 'succeeded' where id = 'pay_declined'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_active',
    `update payments set invoice_id = 'inv_active' where id = 'pay_new'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_active',
    `update invoices set amount_paid = 1 where id = 'inv_active'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_active',
    `update invoices set paid_at = null where id = 'inv_active'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected, once',
    'inv_open',
    `update invoices set subtotal = 0, amount_due = 0, lines = '[]' where id = 'inv_open'`,
  ],
  [
    'the number of an invoice is its code and its place',
    'inv_open',
    `update invoices set number = 'ACME-4' where id = 'inv_open'`,
  ],
  [
    'the number of an invoice is its code and its place',
    'inv_open',
    `update billing_accounts set last_invoice_number = 3`,
  ],
  [
    'the credit of an invoice was taken from the balance, and given back when nobody paid it',
    'inv_active',
    `delete from billing_credit_entries where id = 'cr_2'`,
  ],
  [
    'the credit of an invoice was taken from the balance, and given back when nobody paid it',
    'inv_void',
    `delete from billing_credit_entries where id = 'cr_4'`,
  ],
  [
    'money that was collected paid an invoice, or is credit',
    'pay_active',
    `update payments set amount = 1 where id = 'pay_active'`,
  ],
  [
    'money that was collected paid an invoice, or is credit',
    'pay_active',
    `update payments set invoice_id = 'inv_gone' where id = 'pay_active'`,
  ],
  [
    'money that was collected paid an invoice, or is credit',
    'pay_active',
    `update payments set subscription_id = '${ENDED}' where id = 'pay_active'`,
  ],
  [
    'money that was collected paid an invoice, or is credit',
    'pay_active',
    `update invoices set status = 'void' where id = 'inv_active'`,
  ],
  [
    'money that was collected paid an invoice, or is credit',
    'pay_late',
    `delete from billing_credit_entries where id = 'cr_6'`,
  ],
  [
    'a payment without an outcome is looked up, and one that has it no more',
    'pay_new',
    `update payments set next_check_at = null where id = 'pay_new'`,
  ],
  [
    'a payment without an outcome is looked up, and one that has it no more',
    'pay_new',
    `update payments set next_check_at = clock_timestamp() - interval '2 hours' where id = 'pay_new'`,
  ],
  [
    'a payment without an outcome is looked up, and one that has it no more',
    'pay_active',
    `update payments set settled_at = null where id = 'pay_active'`,
  ],
  [
    'credit is used by an invoice, or kept back for one that waits for its payment',
    'cr_5',
    `delete from payments where id = 'pay_new'`,
  ],
  [
    'the invoice numbers of an organization run from 1 to its last without a gap',
    ORG,
    `delete from invoices where id = 'inv_ended'`,
  ],
  [
    'the invoice numbers of an organization run from 1 to its last without a gap',
    ORG,
    `update billing_accounts set last_invoice_number = 5`,
  ],
  ['the credit of an organization is the sum of its entries', ORG, `update billing_credits set balance = balance + 1`],
  ['the credit of an organization is the sum of its entries', ORG, `delete from billing_credits`],
  [
    'the paid invoices of an organization come to what its payments collected for them',
    ORG,
    `update payments set amount = amount + 1 where id = 'pay_active'`,
  ],
  ['an organization with payment methods has one default', ORG, `update payment_methods set is_default = false`],
  [
    'money that came for something that was over became credit of the same amount',
    ORG,
    "update billing_credit_entries set amount = 499 where id = 'cr_6'",
  ],
  [
    'an organization with payment methods has one default',
    ORG,
    `update payment_methods set is_default = true, removed_at = null`,
  ],
  [
    'the rate-limit tier of an organization is that of its best live plan',
    ORG,
    `update organizations set tier = 'enterprise' where id = '${ORG}'`,
  ],
  [
    'a coupon counts the subscriptions that have it, and those that are being paid for',
    COUPON,
    `update coupons set redemptions = 3`,
  ],
  [
    'the beginning and the end of each subscription have their events',
    ACTIVE,
    `delete from events where type = 'subscription.created' and object ->> 'subscription_id' = '${ACTIVE}'`,
  ],
  [
    'the beginning and the end of each subscription have their events',
    ENDED,
    `delete from events where type = 'subscription.canceled'`,
  ],
  [
    'the beginning and the end of each subscription have their events',
    ENDED,
    `update subscriptions set status = 'expired' where id = '${ENDED}'`,
  ],
  ['each invoice and its payment have their events', 'inv_open', `delete from events where type = 'invoice.created'`],
  ['each invoice and its payment have their events', 'inv_active', `delete from events where type = 'invoice.paid'`],
  [
    'each payment method that was attached or removed has its events',
    'pm_default',
    `delete from events where type = 'payment_method.attached'`,
  ],
  [
    'each payment method that was attached or removed has its events',
    'pm_removed',
    `delete from events where type = 'payment_method.removed'`,
  ],
])('%s: broken, it names %s', async (promise, id, breakage) => {
  const broken = await examineBroken(breakage);
  const finding = broken.find((each) => each.check === promise);
  expect(finding?.faults?.some((fault) => fault.startsWith(`${id} of `) || fault.startsWith(`${id}: `))).toBe(true);
});

it('what is older than the events are kept needs none', async () => {
  const oldMethods = `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4,
      exp_month, exp_year, is_default, created_at, removed_at)
    select '${ORG}', 'pm_old_' || n, 'test', 'old' || n, 'card', 'visa', '4242', 1, 2030, false, old, old
    from generate_series(1, 1201) n, (select clock_timestamp() - interval '31 days' as old) t`;
  expect(await examineBroken(oldMethods)).toEqual([]);
  // And of many that are wrong all are counted, over as many portions as it takes, and a hundred told.
  const [finding, ...others] = await examineBroken(oldMethods, 32);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ ok: false, detail: '1201 of 1203 are wrong' });
  expect(finding?.faults).toHaveLength(100);
});

it('what is right at the second look is not told', async () => {
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

it('what cannot be looked at is a fault, and the rest is looked at', async () => {
  await execute(database, 'alter table coupons rename to coupons_gone');
  try {
    const broken = (await examineInvariants(database, { pause: noPause })).filter((finding) => !finding.ok);
    expect(broken).toHaveLength(1);
    expect(broken[0]?.detail).toMatch(/^could not be looked at: .*coupons/);
  } finally {
    await execute(database, 'alter table coupons_gone rename to coupons');
  }
});

it('a test that leaves something broken is told what', async () => {
  await undone(async (tx) => {
    await execute(tx, `update licenses set max_seats = 6 where id = '${LICENSE}'`);
    await expect(requireInvariants(tx)).rejects.toThrow(`${ACTIVE} of ${ORG}: ${LICENSE} has 6 seats, not 5`);
  });
});

it('the command looks at production and the sandbox, and says which', async () => {
  const sandbox = await cloneDatabase(inject('postgresUrl'), `t_${randomBytes(6).toString('hex')}`);
  await execute(database, `update plans set tier = 'enterprise' where id = 'plan_planted'`);
  try {
    const findings = await examineInstallationInvariants({
      DATABASE_URL: databaseUrl,
      SANDBOX_DATABASE_URL: sandbox,
      SEATHOLD_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    expect(findings.filter((finding) => !finding.ok)).toMatchObject([
      {
        check: 'production: the rate-limit tier of an organization is that of its best live plan',
        faults: [`${ORG}: its tier is pro, its best live plan has enterprise`],
      },
    ]);
    expect(findings.filter(({ check }) => check.startsWith('sandbox: '))).toHaveLength(findings.length / 2);
  } finally {
    await execute(database, `update plans set tier = 'pro' where id = 'plan_planted'`);
  }
});
