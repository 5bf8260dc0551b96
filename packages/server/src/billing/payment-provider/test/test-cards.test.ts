import { describe, expect } from 'vitest';
import { createTest } from '../../../../test/harness/fixtures.ts';
import { execute } from '../../../../test/harness/index.ts';
import { NOW, VISA } from '../../../../test/harness/till.ts';

const it = createTest({ environment: 'sandbox' }).extend('provider', { scope: 'file' }, ({ till }) => till.provider);

describe('attaching a card:', () => {
  it.for([
    ['pm_card_visa', 'visa', '4242'],
    ['pm_card_mastercard', 'mastercard', '4444'],
    ['pm_card_amex', 'amex', '0005'],
  ] as const)('%s is a %s card', async ([token, brand, last4], { till, provider }) => {
    const { customerRef } = await till.customer();
    const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW });
    expect(outcome).toMatchObject({ kind: 'attached', method: { brand, last4, expMonth: 12, expYear: 2036 } });
  });

  it.for([
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
  ] as const)('%s is declined: %s', async ([token, declineCode], { till, provider }) => {
    const { customerRef } = await till.customer();
    const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW });
    expect(outcome).toEqual({ kind: 'declined', declineCode });
  });

  it('a test card attached twice, or twenty times simultaneously, is one card of the customer, and a different one for the next customer', async ({
    till,
  }) => {
    const { customerRef } = await till.customer();
    const refs = await Promise.all(Array.from({ length: 20 }, () => till.attach(customerRef, 'pm_card_visa')));
    expect(new Set(refs).size).toBe(1);
    expect(await till.attach(customerRef, refs[0] ?? '')).toBe(refs[0]);
    expect(await till.attach((await till.customer()).customerRef, 'pm_card_visa')).not.toBe(refs[0]);
  });

  it('a card created from a number can be attached by one customer, and never again once it was detached', async ({
    till,
    provider,
  }) => {
    const made = await provider.cards.make(VISA, NOW);
    const token = made.kind === 'made' ? made.card.ref : expect.fail();
    expect(token).toMatch(/^pm_test_[0-9a-f]{32}$/);
    const [one, other] = [await till.customer(), await till.customer()];
    const outcomes = await Promise.all(
      [one, other].map(({ customerRef }) => provider.attachMethod({ customerRef, token, nowMs: NOW })),
    );
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['attached', 'refused']);
    expect(outcomes.find((outcome) => outcome.kind === 'refused')).toEqual({ kind: 'refused', reason: 'in_use' });
    const owner = outcomes[0]?.kind === 'attached' ? one : other;
    const stranger = owner === one ? other : one;
    await provider.detachMethod({ customerRef: stranger.customerRef, methodRef: token });
    expect(await till.attach(owner.customerRef, token)).toBe(token);
    for (let time = 0; time < 2; time += 1) {
      const detached = await provider.detachMethod({ customerRef: owner.customerRef, methodRef: token });
      expect(detached).toEqual({ kind: 'detached' });
    }
    const gone = await provider.attachMethod({ customerRef: owner.customerRef, token, nowMs: NOW });
    expect(gone).toEqual({ kind: 'refused', reason: 'unknown' });
  });

  it('an unknown name and an expired card are not attached', async ({ till, provider }) => {
    const { customerRef } = await till.customer();
    for (const token of ['pm_card_nothing', '4242424242424242', 'pm_test_0', '__proto__']) {
      const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW });
      expect(outcome).toEqual({ kind: 'refused', reason: 'unknown' });
    }
    const made = await provider.cards.make({ ...VISA, exp_month: 11, exp_year: 2026 }, NOW);
    const token = made.kind === 'made' ? made.card.ref : expect.fail();
    const late = await provider.attachMethod({ customerRef, token, nowMs: Date.parse('2026-12-01T00:00:00Z') });
    expect(late).toEqual({ kind: 'refused', reason: 'expired' });
  });

  it('the number and the security code are not stored', async ({ app, provider }) => {
    await provider.cards.make({ ...VISA, cvc: '987' }, NOW);
    const rows = await execute<{ row: string }>(app.database, 'select to_jsonb(c)::text as row from test_cards c');
    expect(rows.some(({ row }) => row.includes('4242424242424242') || row.includes('"987"'))).toBe(false);
  });
});

it('unattached cards are deleted after a day', async ({ app, till, provider }) => {
  const made = await provider.cards.make(VISA, NOW);
  const ref = made.kind === 'made' ? made.card.ref : expect.fail();
  await execute(app.database, `update test_cards set created_at = created_at - interval '25 hours' where ref = $1`, [
    ref,
  ]);
  const young = await provider.cards.make(VISA, NOW);
  expect(await provider.cards.deleteUnused(10)).toBe(1);
  const { customerRef } = await till.customer();
  const gone = await provider.attachMethod({ customerRef, token: ref, nowMs: NOW });
  expect(gone).toEqual({ kind: 'refused', reason: 'unknown' });
  expect(await till.attach(customerRef, young.kind === 'made' ? young.card.ref : '')).toBeDefined();
});
