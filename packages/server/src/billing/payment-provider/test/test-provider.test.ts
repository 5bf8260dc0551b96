import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, openTestApp, type TestApp } from '../../../../test/harness/index.ts';
import { newId } from '../../../ids/index.ts';
import type { Charge, ChargeOutcome } from '../payment-provider.ts';
import { openTestProvider } from './open-test-provider.ts';

let test: TestApp;
let provider: ReturnType<typeof openTestProvider>;

beforeAll(async () => {
  test = await openTestApp({ environment: 'sandbox' });
  provider = openTestProvider({ database: test.database, masterKey: test.masterKey });
});
afterAll(() => test.close());

const NOW = Date.parse('2026-11-02T09:30:00Z');
const HOUR = 3_600_000;
const VISA = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' };

async function customer(): Promise<{ organizationId: string; customerRef: string }> {
  const organizationId = newId('organization');
  const opened = await provider.openCustomer({ organizationId, name: 'Ada', email: undefined });
  return { organizationId, customerRef: opened.kind === 'ready' ? opened.customerRef : expect.fail() };
}

async function attach(customerRef: string, token: string, nowMs = NOW): Promise<string> {
  const outcome = await provider.attachMethod({ customerRef, token, nowMs });
  return outcome.kind === 'attached' ? outcome.method.ref : expect.fail(`${token} was ${outcome.kind}`);
}

/** A charge to a new card of this name; what is given differs. */
async function chargeOf(token: string, change: Partial<Charge> = {}): Promise<Charge> {
  const { organizationId, customerRef } = await customer();
  return {
    attemptId: newId('payment'),
    organizationId,
    amount: 2_900,
    currency: 'usd',
    customerRef,
    methodRef: await attach(customerRef, token),
    purpose: 'create',
    isOnSession: true,
    description: 'Pro',
    nowMs: NOW,
    ...change,
  };
}

async function prepare(charge: Charge): Promise<Charge & { paymentRef: string }> {
  const prepared = await provider.prepare(charge);
  return prepared.kind === 'prepared' ? { ...charge, paymentRef: prepared.paymentRef } : expect.fail();
}

const collect = async (charge: Charge) => provider.confirm(await prepare(charge));
const again = (charge: Charge, change: Partial<Charge>) => ({ ...charge, attemptId: newId('payment'), ...change });
const play = async (secret: string, act: 'succeed' | 'fail', organizationId?: string) => {
  const played = await provider.cards.playCustomer(secret, act, NOW, organizationId);
  return typeof played === 'string' ? played : played.outcome;
};
const secretOf = (outcome: ChargeOutcome) =>
  outcome.kind === 'requires_action' ? outcome.clientSecret : expect.fail();

describe('attaching', () => {
  it.each([
    ['pm_card_visa', 'visa', '4242'],
    ['pm_card_mastercard', 'mastercard', '4444'],
    ['pm_card_amex', 'amex', '0005'],
  ])('%s is a %s card', async (token, brand, last4) => {
    const { customerRef } = await customer();
    const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW });
    expect(outcome).toMatchObject({ kind: 'attached', method: { brand, last4, expMonth: 12, expYear: 2036 } });
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_velocity_exceeded'],
    ['pm_card_cvcCheckFail', 'incorrect_cvc'],
    ['pm_card_avsZipFail', 'incorrect_zip'],
  ])('%s is declined: %s', async (token, declineCode) => {
    const { customerRef } = await customer();
    const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW });
    expect(outcome).toEqual({ kind: 'declined', declineCode });
  });

  it('a name attached twice, or twenty times at once, is one card of the customer, and another of the next', async () => {
    const { customerRef } = await customer();
    const refs = await Promise.all(Array.from({ length: 20 }, () => attach(customerRef, 'pm_card_visa')));
    expect(new Set(refs).size).toBe(1);
    expect(await attach(customerRef, refs[0] ?? '')).toBe(refs[0]);
    expect(await attach((await customer()).customerRef, 'pm_card_visa')).not.toBe(refs[0]);
  });

  it('a card made of a number can be attached by one customer, and never again once it was detached', async () => {
    const made = await provider.cards.make(VISA, NOW);
    const token = made.kind === 'made' ? made.card.ref : expect.fail();
    expect(token).toMatch(/^pm_test_[0-9a-f]{32}$/);
    const [one, other] = [await customer(), await customer()];
    const outcomes = await Promise.all(
      [one, other].map(({ customerRef }) => provider.attachMethod({ customerRef, token, nowMs: NOW })),
    );
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['attached', 'refused']);
    expect(outcomes.find((outcome) => outcome.kind === 'refused')).toEqual({ kind: 'refused', reason: 'in_use' });
    const owner = outcomes[0]?.kind === 'attached' ? one : other;
    const stranger = owner === one ? other : one;
    await provider.detachMethod({ customerRef: stranger.customerRef, methodRef: token });
    expect(await attach(owner.customerRef, token)).toBe(token);
    for (let time = 0; time < 2; time += 1) {
      const detached = await provider.detachMethod({ customerRef: owner.customerRef, methodRef: token });
      expect(detached).toEqual({ kind: 'detached' });
    }
    const gone = await provider.attachMethod({ customerRef: owner.customerRef, token, nowMs: NOW });
    expect(gone).toEqual({ kind: 'refused', reason: 'unknown' });
  });

  it('nothing of this name, and nothing that has expired, is attached', async () => {
    const { customerRef } = await customer();
    for (const token of ['pm_card_nothing', '4242424242424242', 'pm_test_0', '__proto__']) {
      const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW });
      expect(outcome).toEqual({ kind: 'refused', reason: 'unknown' });
    }
    const made = await provider.cards.make({ ...VISA, exp_month: 11, exp_year: 2026 }, NOW);
    const token = made.kind === 'made' ? made.card.ref : expect.fail();
    const late = await provider.attachMethod({ customerRef, token, nowMs: Date.parse('2026-12-01T00:00:00Z') });
    expect(late).toEqual({ kind: 'refused', reason: 'expired' });
  });

  it('keeps neither the number nor the security code', async () => {
    await provider.cards.make({ ...VISA, cvc: '987' }, NOW);
    const rows = await execute<{ row: string }>(test.database, 'select to_jsonb(c)::text as row from test_cards c');
    expect(rows.some(({ row }) => row.includes('4242424242424242') || row.includes('"987"'))).toBe(false);
  });
});

const SUCCEEDED = { kind: 'succeeded' };
const ACTION = { kind: 'requires_action' };
const declined = (declineCode: string, isHard = false) => ({ kind: 'declined', declineCode, isHard });

describe('charging', () => {
  it.each([
    ['pm_card_visa', SUCCEEDED, SUCCEEDED],
    ['pm_card_visa_debit', SUCCEEDED, SUCCEEDED],
    ['pm_card_threeDSecureOptional', SUCCEEDED, SUCCEEDED],
    ['pm_card_createDispute', SUCCEEDED, SUCCEEDED],
    ['pm_card_chargeCustomerFail', SUCCEEDED, declined('generic_decline')],
    ['pm_card_radarBlock', declined('fraudulent', true), declined('fraudulent', true)],
    ['pm_card_authenticationRequired', ACTION, declined('authentication_required')],
    ['pm_card_authenticationRequiredOnSetup', ACTION, declined('authentication_required')],
    ['pm_card_authenticationRequiredSetupForOffSession', ACTION, SUCCEEDED],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', ACTION, declined('insufficient_funds')],
    ['pm_card_threeDSecure2Required', ACTION, declined('authentication_required')],
    ['pm_card_threeDSecureRequiredChargeDeclined', ACTION, declined('generic_decline')],
  ])('%s: a new subscription, then its renewal', async (token, onSession, offSession) => {
    const first = await chargeOf(token);
    expect(await collect(first)).toMatchObject(onSession);
    const renewal = again(first, { purpose: 'renewal', isOnSession: false });
    expect(await collect(renewal)).toMatchObject(offSession);
  });

  it('announces without collecting, the same for the same attempt, however many ask at once', async () => {
    const charge = await chargeOf('pm_card_visa');
    const prepared = await Promise.all(Array.from({ length: 10 }, () => prepare(charge)));
    const [{ paymentRef } = expect.fail()] = prepared;
    expect(new Set(prepared.map((each) => each.paymentRef)).size).toBe(1);
    expect(paymentRef).toContain(charge.attemptId);
    expect(await provider.lookup({ paymentRef, nowMs: NOW })).toEqual({ kind: 'unconfirmed' });
    const outcomes = await Promise.all(prepared.map((each) => provider.confirm(each)));
    expect(outcomes).toEqual(prepared.map(() => SUCCEEDED));
    expect(await provider.cancel({ paymentRef, nowMs: NOW })).toEqual(SUCCEEDED);
  });

  it('a canceled charge is never collected, and of a confirmation and a cancellation at once one wins', async () => {
    const charge = await prepare(await chargeOf('pm_card_visa'));
    expect(await provider.cancel(charge)).toEqual({ kind: 'canceled' });
    expect(await provider.confirm(charge)).toEqual({ kind: 'canceled' });
    for (let time = 0; time < 10; time += 1) {
      const next = await prepare(again(charge, {}));
      const outcomes = await Promise.all([provider.confirm(next), provider.cancel(next)]);
      const [one, other] = outcomes.map((outcome) => outcome.kind);
      expect(one).toBe(other);
      expect((await provider.lookup(next)).kind).toBe(one);
    }
  });

  it('a card that is gone, of another customer or expired pays nothing', async () => {
    const charge = await chargeOf('pm_card_visa');
    const stranger = await chargeOf('pm_card_visa');
    const noMethod = { kind: 'declined', declineCode: 'no_payment_method', isHard: true };
    expect(await provider.prepare({ ...charge, methodRef: stranger.methodRef })).toEqual(noMethod);
    expect(await provider.prepare({ ...charge, methodRef: 'pm_test_nothing' })).toEqual(noMethod);
    const late = await prepare(again(charge, { nowMs: Date.parse('2037-01-01T00:00:00Z') }));
    expect(await provider.confirm(late)).toEqual(declined('expired_card', true));
    const prepared = await prepare(charge);
    await provider.detachMethod(charge);
    expect(await provider.confirm(prepared)).toEqual(noMethod);
    expect(await provider.prepare(again(charge, {}))).toEqual(noMethod);
  });

  it('of a lost answer the charge has succeeded', async () => {
    const charge = await prepare(await chargeOf('pm_card_lostResponse'));
    expect((await provider.confirm(charge)).kind).toBe('unknown');
    expect(await provider.lookup(charge)).toEqual(SUCCEEDED);
    expect(await provider.confirm(charge)).toEqual(SUCCEEDED);
  });

  it('of a lost request nothing is collected until it is confirmed again', async () => {
    const charge = await prepare(await chargeOf('pm_card_lostRequest'));
    expect((await provider.confirm(charge)).kind).toBe('unknown');
    expect(await provider.lookup(charge)).toEqual({ kind: 'unconfirmed' });
    expect(await provider.confirm(charge)).toEqual(SUCCEEDED);
    const next = await prepare(again(charge, {}));
    expect((await provider.confirm(next)).kind).toBe('unknown');
    expect(await provider.cancel(next)).toEqual({ kind: 'canceled' });
  });

  it.each([
    ['pm_card_processing', SUCCEEDED],
    ['pm_card_processingDeclined', declined('generic_decline')],
  ])('%s is worked at for two hours', async (token, end) => {
    const charge = await prepare(await chargeOf(token));
    const processing = { kind: 'processing', checkAtMs: NOW + 2 * HOUR };
    expect(await provider.confirm(charge)).toEqual(processing);
    expect(await provider.cancel({ ...charge, nowMs: NOW + 2 * HOUR - 1 })).toEqual(processing);
    expect(await provider.lookup({ ...charge, nowMs: NOW + 2 * HOUR })).toEqual(end);
    expect(await provider.confirm(charge)).toEqual(end);
  });

  it('a card that fails twice declines two of its renewals and pays the third', async () => {
    const first = await chargeOf('pm_card_failsTwiceThenSucceeds');
    expect(await collect(first)).toEqual(SUCCEEDED);
    const outcomes = [];
    for (const purpose of ['renewal', 'retry', 'retry', 'renewal'] as const) {
      const charge = await prepare(again(first, { purpose, isOnSession: false }));
      outcomes.push((await provider.confirm(charge)).kind);
      await provider.confirm(charge);
    }
    expect(outcomes).toEqual(['declined', 'declined', 'succeeded', 'succeeded']);
  });

  it('twenty renewals at once with it decline twice', async () => {
    const first = await chargeOf('pm_card_failsTwiceThenSucceeds');
    const renewals = Array.from({ length: 20 }, () => again(first, { purpose: 'renewal', isOnSession: false }));
    const outcomes = await Promise.all(renewals.map(collect));
    expect(outcomes.filter((outcome) => outcome.kind === 'declined')).toHaveLength(2);
  });

  it('of an unknown reference it knows nothing', async () => {
    for (const paymentRef of ['pi_test_nothing', '']) {
      expect((await provider.lookup({ paymentRef, nowMs: NOW })).kind).toBe('unknown');
      expect((await provider.cancel({ paymentRef, nowMs: NOW })).kind).toBe('unknown');
    }
  });
});

describe('the customer', () => {
  it.each([
    ['pm_card_authenticationRequired', 'succeed', SUCCEEDED],
    ['pm_card_authenticationRequired', 'fail', declined('authentication_failed')],
    ['pm_card_threeDSecure2Required', 'succeed', SUCCEEDED],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'succeed', declined('generic_decline')],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'succeed', declined('insufficient_funds')],
  ] as const)('%s: %s', async (token, act, end) => {
    const charge = await prepare(await chargeOf(token));
    const secret = secretOf(await provider.confirm(charge));
    expect(secretOf(await provider.confirm(charge))).toBe(secret);
    expect(await play(secret, act)).toEqual(end);
    expect(await provider.lookup(charge)).toEqual(end);
    expect(await play(secret, 'succeed')).toBe('not_waiting');
  });

  it('authenticates once for all renewals where the card asks for that on set-up', async () => {
    const first = await chargeOf('pm_card_authenticationRequiredOnSetup');
    const renew = () => collect(again(first, { purpose: 'renewal', isOnSession: false }));
    expect(await renew()).toEqual(declined('authentication_required'));
    await play(secretOf(await collect(first)), 'succeed');
    expect(await renew()).toEqual(SUCCEEDED);
    expect((await collect(again(first, {}))).kind).toBe('requires_action');
  });

  it('acts once, however many try at once, and not for another organization', async () => {
    const charge = await chargeOf('pm_card_authenticationRequired');
    const secret = secretOf(await collect(charge));
    const stranger = newId('organization');
    expect(await play(secret, 'succeed', stranger)).toBe('not_found');
    const acts = await Promise.all(
      Array.from({ length: 20 }, (_, time) =>
        play(secret, time % 2 === 0 ? 'succeed' : 'fail', charge.organizationId),
      ),
    );
    expect(acts.filter((act) => act !== 'not_waiting')).toHaveLength(1);
  });

  it('is nobody without the true secret', async () => {
    const charge = await prepare(await chargeOf('pm_card_authenticationRequired'));
    const secret = secretOf(await provider.confirm(charge));
    const last = secret.endsWith('0') ? '1' : '0';
    for (const forged of [
      `${secret.slice(0, -1)}${last}`,
      charge.paymentRef,
      `${charge.paymentRef}_secret_`,
      '',
      secret.slice(0, -1),
    ]) {
      expect(await play(forged, 'succeed')).toBe('not_found');
    }
    const rows = await execute<{ row: string }>(test.database, 'select to_jsonb(c)::text as row from test_charges c');
    expect(rows.some(({ row }) => row.includes(secret.slice(-40)))).toBe(false);
  });
});

it('deletes what was made and never attached, after a day', async () => {
  const made = await provider.cards.make(VISA, NOW);
  const ref = made.kind === 'made' ? made.card.ref : expect.fail();
  await execute(test.database, `update test_cards set created_at = created_at - interval '25 hours' where ref = $1`, [
    ref,
  ]);
  const young = await provider.cards.make(VISA, NOW);
  expect(await provider.cards.deleteUnused(10)).toBe(1);
  const { customerRef } = await customer();
  const gone = await provider.attachMethod({ customerRef, token: ref, nowMs: NOW });
  expect(gone).toEqual({ kind: 'refused', reason: 'unknown' });
  expect(await attach(customerRef, young.kind === 'made' ? young.card.ref : '')).toBeDefined();
});
