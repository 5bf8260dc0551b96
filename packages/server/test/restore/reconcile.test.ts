import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorResolvePayment } from '../../src/operator/manage-payments.ts';
import { execute, type Member } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import { RestoreWorld } from './restore-world.ts';

const FINANCE = 'finance@vendor.example';
const MONTH = 14_500;
const DAY_MS = 86_400_000;

let world: RestoreWorld;

beforeEach(async () => {
  world = await RestoreWorld.start({ SEATHOLD_FINANCE_EMAIL: FINANCE });
});
afterEach(async () => {
  await requireInvariants(world.shop.app.database);
  await world.close();
});

const card = (name = 'pm_card_visa') => world.double.makeCard(name);
const yesterday = () => new Date(Date.now() - DAY_MS).toISOString();

async function listPayments(query: string) {
  const { token } = await makeOperatorToken(world.shop.app);
  return world.shop.app.api.get(`/v1/operator/payments${query}`, token);
}

/**
 * Yesterday: a subscriber, and one who is past due. Since then: a renewal, a retry, a purchase and a change. Then a
 * restore.
 */
async function loseADay(): Promise<Record<'renewed' | 'retried' | 'bought' | 'changed', Member>> {
  const { app: test } = world.shop;
  const [renewed, retried, bought, changed] = [
    await test.register(),
    await test.register(),
    await test.register(),
    await test.register(),
  ];
  await world.shop.buy(renewed, card());
  await world.shop.buy(retried, card());
  await world.shop.attach(retried, card('pm_card_chargeCustomerFail'));
  await world.travel(31, retried);
  const id = await world.shop.buy(changed, card());
  await world.backup();
  await world.travel(31, renewed);
  await world.shop.attach(retried, card('pm_card_mastercard'));
  await world.shop.app.runJobs();
  await world.shop.buy(bought, card());
  expect((await world.shop.change(changed, id, { quantity: 8 })).status).toBe(200);
  await world.restore();
  return { renewed, retried, bought, changed };
}

describe('seathold payments reconcile', () => {
  it('has nothing to do if nothing was lost', async () => {
    const ada = await world.shop.app.register();
    await world.shop.buy(ada, card());
    const done = await world.reconcile(yesterday());
    expect(done).toMatchObject({ provider: 'stripe', isResumed: false, findings: [] });
    expect(done.counts).toMatchObject({ examined: 1, matched: 1, orphaned: 0, missing: 0, disagreeing: 0 });
  });

  it('adopts and reports what a restore lost, mails finance once, and can be repeated', async () => {
    const { renewed, retried, bought, changed } = await loseADay();
    const charges = world.double.charges.length;
    const first = await world.reconcile(yesterday());
    expect(first.counts).toMatchObject({ adopted: 1, awaited: 1, orphaned: 2, missing: 0, disagreeing: 0 });
    expect(first.findings.map(({ kind, organizationId }) => [kind, organizationId]).toSorted()).toEqual(
      [
        ['adopted', retried.organizationId],
        ['orphaned', bought.organizationId],
        ['orphaned', changed.organizationId],
      ].toSorted(),
    );
    await world.moveClocks(31, renewed);
    expect(world.double.charges).toHaveLength(charges);
    expect(await world.paidBy(renewed)).toEqual([MONTH, MONTH]);
    expect(await world.paidBy(retried)).toEqual([MONTH, MONTH]);

    const { body } = await listPayments('?status=orphaned');
    expect(body.data).toHaveLength(2);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        organization_id: bought.organizationId,
        status: 'orphaned',
        orphaned_because: 'unknown_subscription',
        purpose: 'create',
        period_index: 0,
        attempt: 1,
        amount: MONTH,
        currency: 'usd',
      }),
    );
    const filtered = await listPayments(`?status=orphaned&organization_id=${changed.organizationId}`);
    expect(filtered.body.data).toMatchObject([{ orphaned_because: 'unknown_change' }]);

    const second = await world.reconcile(yesterday());
    expect(second.counts).toMatchObject({
      examined: first.counts.examined,
      adopted: 0,
      awaited: 0,
      orphaned: 2,
      missing: 0,
    });
    // All but the two orphans: the successful ones, and the declined renewal.
    expect(second.counts).toMatchObject({ examined: 8, matched: 6 });
    expect(world.double.charges).toHaveLength(charges);
    const mails = await world.shop.app.mailsTo(FINANCE);
    expect(mails.map(({ subject }) => subject)).toEqual(['2 payments without a matching record']);
  });

  it('resumes where Stripe stopped answering, and reports payments unknown to Stripe', async () => {
    const { database } = world.shop.app;
    const ada = await world.shop.app.register();
    await world.shop.buy(ada, card());
    const copy = `insert into payments (organization_id, id, subscription_id, invoice_id, purpose, intent, amount, currency,
        is_on_session, payment_method_id, method_ref, customer_ref, provider, provider_ref, status, created_at, settled_at)
      select organization_id, 'pay_planted', subscription_id, null, purpose, intent, 1, currency, is_on_session,
        payment_method_id, method_ref, customer_ref, provider, 'pi_planted', status, created_at, settled_at
      from payments where organization_id = $1`;
    await execute(database, copy, [ada.organizationId]);
    world.double.faults.add({ kind: 'drop' }, { on: /^GET \/v1\/payment_intents\/pi_planted/, times: 2 });
    await expect(world.reconcile(yesterday())).rejects.toMatchObject({ code: 'service_unavailable' });
    const lists = () =>
      world.double.requests.filter(({ path, method }) => method === 'GET' && path === '/v1/payment_intents');
    const before = lists().length;
    const done = await world.reconcile();
    expect(lists()).toHaveLength(before);
    expect(done).toMatchObject({ isResumed: true, counts: { examined: 1, matched: 1, missing: 1 } });
    expect(done.findings).toMatchObject([{ kind: 'missing', providerRef: 'pi_planted' }]);
    await execute(database, "delete from payments where id = 'pay_planted'");
  });

  it('reads all pages of a long period, and each payment once', async () => {
    const ada = await world.shop.app.register();
    await world.shop.buy(ada, card());
    for (let count = 0; count < 250; count += 1) {
      world.double.collectElsewhere(100 + count, 'usd');
    }
    const { counts } = await world.reconcile(yesterday());
    expect(counts).toMatchObject({ examined: 251, matched: 1, foreign: 250, orphaned: 0 });
  });

  it('ignores resolved payments, and nothing adopts them afterwards', async () => {
    const { changed } = await loseADay();
    await world.reconcile(yesterday());
    const [orphan] = (await listPayments(`?status=orphaned&organization_id=${changed.organizationId}`)).body.data;
    await operatorResolvePayment(world.installation(), 'production', orphan.id, 'refunded');
    expect((await listPayments('?status=orphaned')).body.data).toHaveLength(1);
    const { counts } = await world.reconcile(yesterday());
    expect(counts.orphaned).toBe(1);
    const paid = await world.paidBy(changed);
    const [{ id }] = (await world.shop.app.api.get('/v1/subscriptions', changed.accessToken)).body.data;
    expect((await world.shop.change(changed, id, { quantity: 8 })).status).toBe(200);
    expect(await world.paidBy(changed)).toHaveLength(paid.length + 1);
    const again = operatorResolvePayment(world.installation(), 'production', orphan.id, 'twice');
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('GET /v1/operator/payments', () => {
  it('lists the payments of all organizations, page by page, with each filter', async () => {
    const [ada, grace] = [await world.shop.app.register(), await world.shop.app.register()];
    for (const who of [ada, grace, ada]) {
      await world.shop.buy(who, card());
    }
    const { token } = await makeOperatorToken(world.shop.app);
    const { api } = world.shop.app;
    const first = await api.get('/v1/operator/payments?limit=2', token);
    const rest = await api.get(`/v1/operator/payments?limit=2&cursor=${first.body.pagination.next_cursor}`, token);
    const all = [...first.body.data, ...rest.body.data];
    expect(all.map((each) => each.organization_id)).toEqual([ada, grace, ada].map((who) => who.organizationId));
    expect(all).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'succeeded', provider: 'stripe', attempt: 1 })),
    );
    const of = await api.get(`/v1/operator/payments?organization_id=${grace.organizationId}&status=succeeded`, token);
    expect(of.body.data).toMatchObject([{ organization_id: grace.organizationId, amount: MONTH }]);
    expect((await api.get('/v1/operator/payments?status=declined', token)).body.data).toEqual([]);
    expect((await api.get('/v1/operator/payments?created_after=2099-01-01T00:00:00Z', token)).body.data).toEqual([]);
  });

  it('refuses members of an organization, unknown filters and callers without a token', async () => {
    const ada = await world.shop.app.register();
    const { api } = world.shop.app;
    expect((await api.get('/v1/operator/payments', ada.accessToken)).status).toBe(403);
    expect((await api.get('/v1/operator/payments', undefined)).status).toBe(401);
    expect((await listPayments('?status=lost')).status).toBe(400);
    expect((await listPayments('?amount=1')).status).toBe(400);
  });
});
