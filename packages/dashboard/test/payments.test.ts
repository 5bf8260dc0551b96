import { describe, expect, it } from 'vitest';
import { reasonOf } from '../src/billing/decline-reasons.ts';
import { nameOfNumber, readTestCard, TEST_CARDS } from '../src/billing/test-cards.ts';
import { cardExpiry, cardName } from '../src/payment-methods/card-name.ts';

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value);
  }
  return form;
}

describe('a test card', () => {
  it.each(['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242'])('is recognized as %s', (number) => {
    expect(nameOfNumber(number)).toBe('pm_card_visa');
  });

  it('is not recognized as any other number', () => {
    expect(nameOfNumber('4242 4242 4242 4241')).toBeUndefined();
    expect(nameOfNumber('')).toBeUndefined();
  });

  it('is listed once, by name and by number', () => {
    expect(new Set(TEST_CARDS.map(({ name }) => name)).size).toBe(TEST_CARDS.length);
    expect(new Set(TEST_CARDS.map(({ number }) => number)).size).toBe(TEST_CARDS.length);
  });

  it('is read from a form as typed, or by its name where nothing can be typed', () => {
    const typed = { card_number: ' 4242 4242 4242 4242 ', exp_month: '12', exp_year: '2030', cvc: '123' };
    expect(readTestCard(formOf({ test_card: 'pm_card_visa', ...typed }))).toEqual({
      kind: 'typed',
      number: '4242 4242 4242 4242',
      exp_month: 12,
      exp_year: 2030,
      cvc: '123',
    });
    expect(readTestCard(formOf({ test_card: 'pm_card_visa' }))).toEqual({ kind: 'named', name: 'pm_card_visa' });
  });
});

describe('the reason of a declined payment', () => {
  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['invalid_cvc', 'incorrect_cvc'],
  ])('%s reads as %s', (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });

  it.each(['stolen_card', 'lost_card', 'fraudulent', 'generic_decline', '', 'constructor'])(
    '%s stays private',
    (code) => {
      expect(reasonOf(code)).toBe('generally');
    },
  );
});

describe('a card', () => {
  const card = { brand: 'visa', last4: '4242', exp_month: 3, exp_year: 2031 };

  it('is named by its brand and last digits, as its holder knows it', () => {
    expect(cardName({ card })).toBe('Visa •••• 4242');
    expect(cardName({ card: { ...card, brand: 'amex' } })).toBe('American Express •••• 4242');
    expect(cardName({ card: { ...card, brand: '' } })).toBe(' •••• 4242');
  });

  it('expires in the month that is printed on it', () => {
    expect(cardExpiry({ card })).toBe('03/31');
  });
});
