import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStripeProvider } from '../../src/billing/index.ts';
import { execute, type Member } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { RestoreWorld } from './restore-world.ts';

const MONTH = 14_500;
let world: RestoreWorld;

beforeAll(async () => {
  world = await RestoreWorld.start();
});
afterAll(async () => {
  await requireInvariants(world.shop.app.database);
  await world.close();
});

interface InFlight {
  id: string;
  customer_ref: string;
  method_ref: string;
}

/** A renewal that the previous version started: its payment names no period, and Stripe does not know it yet. */
async function beginAsPreviousVersion(): Promise<{ member: Member; payment: InFlight }> {
  const { app: test } = world.shop;
  const member = await test.register();
  await world.shop.buy(member, world.double.makeCard('pm_card_visa'));
  await test.moveClock(member.organizationId, 31 * 86_400);
  world.double.faults.add({ kind: 'drop' }, { on: /./, times: 100 });
  await test.runJob('billing.act-on-due-subscriptions');
  world.double.faults.clear();
  const [payment] = await execute<InFlight>(
    test.database,
    `update payments set period_index = null, period_start = null, attempt = null, claimed_until = null
      where organization_id = $1 and settled_at is null and provider_ref is null returning id, customer_ref, method_ref`,
    [member.organizationId],
  );
  return { member, payment: payment ?? expect.fail('no payment is in flight') };
}

/** The previous version prepares the charge, with keys made from the payment's ID, and collects it if requested. */
async function chargeAsPreviousVersion(member: Member, payment: InFlight, isConfirmed: boolean): Promise<string> {
  const { apiBase, secretKey, webhookSecret } = world.double;
  const provider = createStripeProvider({ apiBase, secretKey, webhookSecret });
  const charge = {
    attemptId: payment.id,
    organizationId: member.organizationId,
    amount: MONTH,
    currency: 'usd',
    customerRef: payment.customer_ref,
    methodRef: payment.method_ref,
    purpose: 'renewal' as const,
    isOnSession: false,
    setsUpMandate: false,
    description: 'Invoice',
    nowMs: Date.now(),
  };
  const prepared = await provider.prepare(charge);
  const { paymentRef } = prepared.kind === 'prepared' ? prepared : expect.fail(prepared.kind);
  if (isConfirmed) {
    expect(await provider.confirm({ ...charge, paymentRef })).toEqual({ kind: 'succeeded' });
  }
  return paymentRef;
}

async function finish(member: Member): Promise<void> {
  await world.shop.app.moveClock(member.organizationId, 3_600);
  await world.shop.app.runJobs();
}

const collected = (member: Member) =>
  world.double.charges.filter((charge) => charge.metadata.organization_id === member.organizationId);

describe('a payment that the previous version started', () => {
  it('and prepared is completed once, with its old key', async () => {
    const { member, payment } = await beginAsPreviousVersion();
    const paymentRef = await chargeAsPreviousVersion(member, payment, false);
    await finish(member);
    expect(collected(member)).toHaveLength(2);
    expect(collected(member).at(-1)).toMatchObject({ intentId: paymentRef, attemptId: payment.id, amount: MONTH });
    const keys = world.double.requests.map(({ key }) => key).filter((key) => key?.includes(payment.id));
    expect(new Set(keys)).toEqual(new Set([`prepare-${payment.id}`, `confirm-${payment.id}`]));
    expect((await world.shop.invoices(member)).at(-1)).toMatchObject({ status: 'paid' });
  });

  it('and collected before the response was lost is recorded, and is not charged again', async () => {
    const { member, payment } = await beginAsPreviousVersion();
    const paymentRef = await chargeAsPreviousVersion(member, payment, true);
    await execute(world.shop.app.database, 'update payments set provider_ref = $2 where id = $1', [
      payment.id,
      paymentRef,
    ]);
    await finish(member);
    expect(collected(member)).toHaveLength(2);
    expect((await world.shop.invoices(member)).at(-1)).toMatchObject({ status: 'paid' });
  });

  it("but never prepared is charged once, and the next period's payment names its purpose", async () => {
    const { member } = await beginAsPreviousVersion();
    await finish(member);
    expect(collected(member)).toHaveLength(2);
    await world.travel(31, member);
    expect(collected(member)).toHaveLength(3);
    expect(collected(member).at(-1)?.metadata).toMatchObject({ period_index: '2', attempt: '1', purpose: 'renewal' });
  });
});
