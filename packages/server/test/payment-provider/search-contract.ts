import { expect, it } from 'vitest';
import type { Charge, PaymentProvider } from '../../src/billing/payment-provider/payment-provider.ts';
import type { ChargeReason } from '../../src/billing/payment-provider/provider-charge.ts';
import { systemClock } from '../../src/clock/index.ts';
import { attachCard, chargeOf, createPayer, freshId, NOW_MS, type Payer, prepared } from './provider-under-test.ts';

const HOUR_MS = 3_600_000;
const since = () => systemClock.nowMs() - HOUR_MS;

function reasonOf(given: Partial<ChargeReason> = {}): ChargeReason {
  return {
    subscriptionId: freshId('sub'),
    periodIndex: 3,
    periodStartMs: NOW_MS,
    attempt: 1,
    order: null,
    request: null,
    ...given,
  };
}

/** A renewal by a new customer. */
async function renewalOf(
  provider: PaymentProvider,
  given: Partial<Charge> = {},
): Promise<{ payer: Payer; charge: Charge }> {
  const payer = await createPayer(provider);
  const { ref } = await attachCard(provider, payer, 'pm_card_visa');
  return {
    payer,
    charge: chargeOf(payer, ref, { purpose: 'renewal', isOnSession: false, reason: reasonOf(), ...given }),
  };
}

/** The contract of every provider for recognizing charges by their purpose. */
export function describeSearches(provider: () => PaymentProvider): void {
  describeKeys(provider);
  describeFinding(provider);
  describeListing(provider);
}

function describeFinding(provider: () => PaymentProvider): void {
  const find = async (customerRef: string, ...subscriptionIds: string[]) => {
    const found = await provider().findCharges({
      customerRef,
      subscriptionIds,
      requests: ['repeated'],
      sinceMs: since(),
      nowMs: NOW_MS,
    });
    return found.kind === 'found' ? found.charges : expect.fail(found.reason);
  };

  it('a search finds the charges of a subscription in any state, with their purpose', async () => {
    const order = { planId: freshId('plan'), quantity: 5 };
    const { payer, charge } = await renewalOf(provider(), { reason: reasonOf({ order }) });
    const { reason = reasonOf() } = charge;
    const paid = await prepared(provider(), charge);
    await provider().confirm(paid);
    const waiting = await prepared(provider(), {
      ...charge,
      attemptId: freshId('pay'),
      purpose: 'pay',
      reason: { ...reason, attempt: 2, order: null },
    });
    await prepared(provider(), { ...charge, attemptId: freshId('pay'), reason: reasonOf() });
    const known = {
      customerRef: payer.customerRef,
      organizationId: payer.organizationId,
      amount: 14_500,
      currency: 'usd',
    };
    const found = await find(payer.customerRef, reason.subscriptionId, freshId('sub'));
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(
      expect.objectContaining({
        ...known,
        paymentRef: paid.paymentRef,
        status: 'succeeded',
        purpose: 'renewal',
        reason,
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        ...known,
        paymentRef: waiting.paymentRef,
        status: 'unconfirmed',
        methodRef: charge.methodRef,
        purpose: 'pay',
        reason: { ...reason, attempt: 2, order: null },
      }),
    );
    const repeated = { ...charge, attemptId: freshId('pay'), reason: reasonOf({ request: 'repeated' }) };
    const { paymentRef } = await prepared(provider(), repeated);
    expect((await find(payer.customerRef)).map((each) => each.paymentRef)).toEqual([paymentRef]);
    const stranger = await createPayer(provider());
    expect(await find(stranger.customerRef, reason.subscriptionId)).toEqual([]);
  });
}

function describeListing(provider: () => PaymentProvider): void {
  it('a listing has each charge once, page by page, and only those from the requested time', async () => {
    const { payer, charge } = await renewalOf(provider());
    const made = new Set<string>();
    for (let attempt = 1; attempt <= 101; attempt += 1) {
      const reason = { ...(charge.reason ?? reasonOf()), attempt };
      made.add((await prepared(provider(), { ...charge, attemptId: freshId('pay'), reason })).paymentRef);
    }
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await provider().listCharges({ sinceMs: since(), cursor });
      const { charges, next } = page.kind === 'page' ? page : expect.fail(page.reason);
      expect(charges.length).toBeLessThanOrEqual(100);
      listed.push(...charges.filter((each) => each.customerRef === payer.customerRef).map((each) => each.paymentRef));
      cursor = next;
    } while (cursor !== undefined);
    expect(listed).toHaveLength(101);
    expect(new Set(listed)).toEqual(made);
    const later = { sinceMs: systemClock.nowMs() + HOUR_MS, cursor: undefined };
    expect(await provider().listCharges(later)).toEqual({ kind: 'page', charges: [], next: undefined });
  });

  it('a known charge is described, and an unknown one is reported as such', async () => {
    const { charge } = await renewalOf(provider());
    const { paymentRef } = await prepared(provider(), charge);
    const described = await provider().describeCharge({ paymentRef, nowMs: NOW_MS });
    expect(described).toMatchObject({
      kind: 'found',
      charge: { paymentRef, status: 'unconfirmed', reason: charge.reason },
    });
    expect(await provider().describeCharge({ paymentRef: 'pi_unknown', nowMs: NOW_MS })).toEqual({ kind: 'missing' });
  });

  it('charges of a version that recorded no reason are listed without one', async () => {
    const { payer, charge } = await renewalOf(provider(), { reason: undefined });
    const { paymentRef } = await prepared(provider(), charge);
    const described = await provider().describeCharge({ paymentRef, nowMs: NOW_MS });
    const held = described.kind === 'found' ? described.charge : expect.fail(described.kind);
    expect(held).toMatchObject({ organizationId: payer.organizationId, reason: undefined });
  });
}

function describeKeys(provider: () => PaymentProvider): void {
  it('the same charge, started again after its rows were lost, is the same payment', async () => {
    const { charge } = await renewalOf(provider());
    const first = await prepared(provider(), charge);
    expect(await provider().confirm(first)).toEqual({ kind: 'succeeded' });
    const again = await prepared(provider(), { ...charge, attemptId: freshId('pay') });
    expect(again.paymentRef).toBe(first.paymentRef);
    expect(await provider().confirm(again)).toEqual({ kind: 'succeeded' });
  });

  it('another attempt, another period and a change are separate payments', async () => {
    const { charge } = await renewalOf(provider());
    const { reason = reasonOf() } = charge;
    const others: Array<Partial<Charge>> = [
      { reason: { ...reason, attempt: 2 } },
      { reason: { ...reason, periodIndex: 4 } },
      { purpose: 'change' },
    ];
    const refs = [(await prepared(provider(), charge)).paymentRef];
    for (const other of others) {
      refs.push((await prepared(provider(), { ...charge, ...other, attemptId: freshId('pay') })).paymentRef);
    }
    expect(new Set(refs).size).toBe(4);
  });

  it('another amount for the same attempt is neither charged nor declined', async () => {
    const { charge } = await renewalOf(provider());
    await prepared(provider(), charge);
    const other = { ...charge, attemptId: freshId('pay'), amount: charge.amount + 100 };
    expect(await provider().prepare(other)).toMatchObject({ kind: 'unknown' });
  });
}
