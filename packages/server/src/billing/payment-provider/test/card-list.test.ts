import { describe, expect, it } from 'vitest';
import { behaviourOf, isExpired } from './card-behaviour.ts';
import { findCardByName, findCardByNumber, TEST_CARDS } from './card-list.ts';
import { isLuhn, judgeTypedCard } from './card-number-rules.ts';

const NOW = Date.parse('2026-11-02T09:30:00Z');
const TYPED = { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 2030, cvc: '123' };

describe('the catalogue of test cards', () => {
  it('has every number and name once, and a valid check digit in every number', () => {
    expect(new Set(TEST_CARDS.map((card) => card.number)).size).toBe(TEST_CARDS.length);
    expect(new Set(TEST_CARDS.map((card) => card.name)).size).toBe(TEST_CARDS.length);
    for (const card of TEST_CARDS) {
      expect([card.name, isLuhn(card.number)]).toEqual([card.name, true]);
      expect(findCardByName(card.name)).toBe(card);
      expect(findCardByNumber(card.number)).toBe(card);
    }
  });

  it.each([
    ['4242424242424242', 'pm_card_visa'],
    ['4000056655665556', 'pm_card_visa_debit'],
    ['5555555555554444', 'pm_card_mastercard'],
    ['378282246310005', 'pm_card_amex'],
    ['6011111111111117', 'pm_card_discover'],
    ['4000000000000002', 'pm_card_visa_chargeDeclined'],
    ['4000000000000002', 'pm_card_chargeDeclined'],
    ['4000000000009995', 'pm_card_visa_chargeDeclinedInsufficientFunds'],
    ['4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds'],
    ['4000000000009987', 'pm_card_visa_chargeDeclinedLostCard'],
    ['4000000000009979', 'pm_card_visa_chargeDeclinedStolenCard'],
    ['4000000000000069', 'pm_card_chargeDeclinedExpiredCard'],
    ['4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc'],
    ['4000000000000119', 'pm_card_chargeDeclinedProcessingError'],
    ['4000000000006975', 'pm_card_visa_chargeDeclinedVelocityLimitExceeded'],
    ['4000000000000341', 'pm_card_chargeCustomerFail'],
    ['4000002500003155', 'pm_card_authenticationRequiredOnSetup'],
    ['4000002760003184', 'pm_card_authenticationRequired'],
    ['4000003800000446', 'pm_card_authenticationRequiredSetupForOffSession'],
    ['4000008260003178', 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
    ['4000000000003220', 'pm_card_threeDSecure2Required'],
    ['4000008400001629', 'pm_card_threeDSecureRequiredChargeDeclined'],
    ['4000000000003055', 'pm_card_threeDSecureOptional'],
    ['4000000000000259', 'pm_card_createDispute'],
    ['4100000000000019', 'pm_card_radarBlock'],
    ['4000000000000101', 'pm_card_cvcCheckFail'],
    ['4000000000000036', 'pm_card_avsZipFail'],
  ])('maps %s to %s', (number, name) => {
    expect(findCardByNumber(number)).toBeDefined();
    expect(findCardByName(name)).toBe(findCardByNumber(number));
  });

  it('lets a card that fails twice pay again, and counts only renewals and their retries', () => {
    const card = findCardByName('pm_card_failsTwiceThenSucceeds') ?? expect.fail();
    const at = (purpose: 'create' | 'renewal' | 'retry' | 'pay', refusals: number) =>
      behaviourOf(card, { isOnSession: purpose === 'create' || purpose === 'pay', purpose, isSetUp: false, refusals });
    expect(at('create', 0).behaviour.kind).toBe('succeeds');
    expect(at('renewal', 0)).toMatchObject({ behaviour: { kind: 'declines' }, isCountedRefusal: true });
    expect(at('retry', 1)).toMatchObject({ behaviour: { kind: 'declines' }, isCountedRefusal: true });
    expect(at('retry', 2)).toMatchObject({ behaviour: { kind: 'succeeds' }, isCountedRefusal: false });
    expect(at('pay', 0).behaviour.kind).toBe('succeeds');
  });
});

describe('judgeTypedCard', () => {
  it.each([
    [{}, 'pm_card_visa'],
    [{ number: '4242-4242-4242-4242' }, 'pm_card_visa'],
    [{ number: '378282246310005', cvc: '1234' }, 'pm_card_amex'],
    [{ exp_month: 11, exp_year: 2026 }, 'pm_card_visa'],
  ])('accepts %o', (change, name) => {
    expect(judgeTypedCard({ ...TYPED, ...change }, NOW)).toMatchObject({ card: { name } });
  });

  it.each([
    [{ number: '4242424242424241' }, 'number', 'incorrect_number'],
    [{ number: '424242' }, 'number', 'incorrect_number'],
    [{ number: '4012888888881881' }, 'number', 'not_a_test_card'],
    [{ exp_month: 13 }, 'exp_month', 'invalid_expiry_month'],
    [{ exp_month: 0 }, 'exp_month', 'invalid_expiry_month'],
    [{ exp_year: 2025 }, 'exp_year', 'invalid_expiry_year'],
    [{ exp_year: 30 }, 'exp_year', 'invalid_expiry_year'],
    [{ exp_year: 2999 }, 'exp_year', 'invalid_expiry_year'],
    [{ exp_month: 10, exp_year: 2026 }, 'exp_year', 'invalid_expiry_year'],
    [{ cvc: '12' }, 'cvc', 'invalid_cvc'],
    [{ cvc: '1234' }, 'cvc', 'invalid_cvc'],
    [{ number: '378282246310005', cvc: '123' }, 'cvc', 'invalid_cvc'],
  ])('refuses %o', (change, field, reason) => {
    expect(judgeTypedCard({ ...TYPED, ...change }, NOW)).toEqual({ refusal: { field, reason } });
  });

  it('accepts a card until the end of its month', () => {
    expect(isExpired(11, 2026, Date.parse('2026-11-30T23:59:59.999Z'))).toBe(false);
    expect(isExpired(11, 2026, Date.parse('2026-12-01T00:00:00Z'))).toBe(true);
  });
});
