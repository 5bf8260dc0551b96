import { describe, expect } from 'vitest';
import { createTest } from '../../../../test/harness/fixtures.ts';
import { execute } from '../../../../test/harness/index.ts';
import { again, NOW } from '../../../../test/harness/till.ts';
import { newId } from '../../../ids/index.ts';
import type { ChargeOutcome } from '../payment-provider.ts';

const it = createTest({ environment: 'sandbox' }).extend('provider', { scope: 'file' }, ({ till }) => till.provider);

const HOUR = 3_600_000;
const secretOf = (outcome: ChargeOutcome) =>
  outcome.kind === 'requires_action' ? outcome.clientSecret : expect.fail();
const SUCCEEDED = { kind: 'succeeded' };
const ACTION = { kind: 'requires_action' };
const declined = (declineCode: string, isHard = false) => ({ kind: 'declined', declineCode, isHard });

describe('a charge:', () => {
  it.for([
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
  ] as const)('%s: a new subscription, then its renewal', async ([token, onSession, offSession], { till }) => {
    const first = await till.chargeOf(token);
    expect(await till.collect(first)).toMatchObject(onSession);
    const renewal = again(first, { purpose: 'renewal', isOnSession: false });
    expect(await till.collect(renewal)).toMatchObject(offSession);
  });

  it('preparing collects nothing, and returns the same reference for simultaneous requests of one attempt', async ({
    till,
    provider,
  }) => {
    const charge = await till.chargeOf('pm_card_visa');
    const prepared = await Promise.all(Array.from({ length: 10 }, () => till.prepare(charge)));
    const [{ paymentRef } = expect.fail()] = prepared;
    expect(new Set(prepared.map((each) => each.paymentRef)).size).toBe(1);
    expect(paymentRef).toContain(charge.attemptId);
    expect(await provider.lookup({ paymentRef, nowMs: NOW })).toEqual({ kind: 'unconfirmed' });
    const outcomes = await Promise.all(prepared.map((each) => provider.confirm(each)));
    expect(outcomes).toEqual(prepared.map(() => SUCCEEDED));
    expect(await provider.cancel({ paymentRef, nowMs: NOW })).toEqual(SUCCEEDED);
  });

  it('a canceled charge is never collected, and either a confirmation or a simultaneous cancellation wins', async ({
    till,
    provider,
  }) => {
    const charge = await till.prepare(await till.chargeOf('pm_card_visa'));
    expect(await provider.cancel(charge)).toEqual({ kind: 'canceled' });
    expect(await provider.confirm(charge)).toEqual({ kind: 'canceled' });
    for (let time = 0; time < 10; time += 1) {
      const next = await till.prepare(again(charge, {}));
      const outcomes = await Promise.all([provider.confirm(next), provider.cancel(next)]);
      const [one, other] = outcomes.map((outcome) => outcome.kind);
      expect(one).toBe(other);
      expect((await provider.lookup(next)).kind).toBe(one);
    }
  });

  it('a detached card, an expired card and a card of another customer are not charged', async ({ till, provider }) => {
    const charge = await till.chargeOf('pm_card_visa');
    const stranger = await till.chargeOf('pm_card_visa');
    const noMethod = { kind: 'declined', declineCode: 'no_payment_method', isHard: true };
    expect(await provider.prepare({ ...charge, methodRef: stranger.methodRef })).toEqual(noMethod);
    expect(await provider.prepare({ ...charge, methodRef: 'pm_test_nothing' })).toEqual(noMethod);
    const late = await till.prepare(again(charge, { nowMs: Date.parse('2037-01-01T00:00:00Z') }));
    expect(await provider.confirm(late)).toEqual(declined('expired_card', true));
    const prepared = await till.prepare(charge);
    await provider.detachMethod(charge);
    expect(await provider.confirm(prepared)).toEqual(noMethod);
    expect(await provider.prepare(again(charge, {}))).toEqual(noMethod);
  });

  it('a charge with a lost response has succeeded', async ({ till, provider }) => {
    const charge = await till.prepare(await till.chargeOf('pm_card_lostResponse'));
    expect((await provider.confirm(charge)).kind).toBe('unknown');
    expect(await provider.lookup(charge)).toEqual(SUCCEEDED);
    expect(await provider.confirm(charge)).toEqual(SUCCEEDED);
  });

  it('a charge with a lost request collects nothing until it is confirmed again', async ({ till, provider }) => {
    const charge = await till.prepare(await till.chargeOf('pm_card_lostRequest'));
    expect((await provider.confirm(charge)).kind).toBe('unknown');
    expect(await provider.lookup(charge)).toEqual({ kind: 'unconfirmed' });
    expect(await provider.confirm(charge)).toEqual(SUCCEEDED);
    const next = await till.prepare(again(charge, {}));
    expect((await provider.confirm(next)).kind).toBe('unknown');
    expect(await provider.cancel(next)).toEqual({ kind: 'canceled' });
  });

  it.for([
    ['pm_card_processing', SUCCEEDED],
    ['pm_card_processingDeclined', declined('generic_decline')],
  ] as const)('%s is processed for two hours', async ([token, end], { till, provider }) => {
    const charge = await till.prepare(await till.chargeOf(token));
    const processing = { kind: 'processing', checkAtMs: NOW + 2 * HOUR };
    expect(await provider.confirm(charge)).toEqual(processing);
    expect(await provider.cancel({ ...charge, nowMs: NOW + 2 * HOUR - 1 })).toEqual(processing);
    expect(await provider.lookup({ ...charge, nowMs: NOW + 2 * HOUR })).toEqual(end);
    expect(await provider.confirm(charge)).toEqual(end);
  });

  it('a card that fails twice declines two of its renewals and pays the third', async ({ till, provider }) => {
    const first = await till.chargeOf('pm_card_failsTwiceThenSucceeds');
    expect(await till.collect(first)).toEqual(SUCCEEDED);
    const outcomes = [];
    for (const purpose of ['renewal', 'retry', 'retry', 'renewal'] as const) {
      const charge = await till.prepare(again(first, { purpose, isOnSession: false }));
      outcomes.push((await provider.confirm(charge)).kind);
      await provider.confirm(charge);
    }
    expect(outcomes).toEqual(['declined', 'declined', 'succeeded', 'succeeded']);
  });

  it('twenty simultaneous renewals with it are declined twice', async ({ till }) => {
    const first = await till.chargeOf('pm_card_failsTwiceThenSucceeds');
    const renewals = Array.from({ length: 20 }, () => again(first, { purpose: 'renewal', isOnSession: false }));
    const outcomes = await Promise.all(renewals.map((each) => till.collect(each)));
    expect(outcomes.filter((outcome) => outcome.kind === 'declined')).toHaveLength(2);
  });

  it('an unknown reference is unknown', async ({ provider }) => {
    for (const paymentRef of ['pi_test_nothing', '']) {
      expect((await provider.lookup({ paymentRef, nowMs: NOW })).kind).toBe('unknown');
      expect((await provider.cancel({ paymentRef, nowMs: NOW })).kind).toBe('unknown');
    }
  });
});

describe('the customer', () => {
  it.for([
    ['pm_card_authenticationRequired', 'succeed', SUCCEEDED],
    ['pm_card_authenticationRequired', 'fail', declined('authentication_failed')],
    ['pm_card_threeDSecure2Required', 'succeed', SUCCEEDED],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'succeed', declined('generic_decline')],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'succeed', declined('insufficient_funds')],
  ] as const)('%s: %s', async ([token, act, end], { till, provider }) => {
    const charge = await till.prepare(await till.chargeOf(token));
    const secret = secretOf(await provider.confirm(charge));
    expect(secretOf(await provider.confirm(charge))).toBe(secret);
    expect(await till.play(secret, act)).toEqual(end);
    expect(await provider.lookup(charge)).toEqual(end);
    expect(await till.play(secret, 'succeed')).toBe('not_waiting');
  });

  it('authenticates once for all renewals if the card requires it on setup', async ({ till }) => {
    const first = await till.chargeOf('pm_card_authenticationRequiredOnSetup');
    const renew = () => till.collect(again(first, { purpose: 'renewal', isOnSession: false }));
    expect(await renew()).toEqual(declined('authentication_required'));
    await till.play(secretOf(await till.collect(first)), 'succeed');
    expect(await renew()).toEqual(SUCCEEDED);
    expect((await till.collect(again(first, {}))).kind).toBe('requires_action');
  });

  it('can act once, even with many simultaneous requests, and not for another organization', async ({ till }) => {
    const charge = await till.chargeOf('pm_card_authenticationRequired');
    const secret = secretOf(await till.collect(charge));
    const stranger = newId('organization');
    expect(await till.play(secret, 'succeed', stranger)).toBe('not_found');
    const acts = await Promise.all(
      Array.from({ length: 20 }, (_, time) =>
        till.play(secret, time % 2 === 0 ? 'succeed' : 'fail', charge.organizationId),
      ),
    );
    expect(acts.filter((act) => act !== 'not_waiting')).toHaveLength(1);
  });

  it('cannot act without the right secret', async ({ app, till, provider }) => {
    const charge = await till.prepare(await till.chargeOf('pm_card_authenticationRequired'));
    const secret = secretOf(await provider.confirm(charge));
    const last = secret.endsWith('0') ? '1' : '0';
    for (const forged of [
      `${secret.slice(0, -1)}${last}`,
      charge.paymentRef,
      `${charge.paymentRef}_secret_`,
      '',
      secret.slice(0, -1),
    ]) {
      expect(await till.play(forged, 'succeed')).toBe('not_found');
    }
    const rows = await execute<{ row: string }>(app.database, 'select to_jsonb(c)::text as row from test_charges c');
    expect(rows.some(({ row }) => row.includes(secret.slice(-40)))).toBe(false);
  });
});
