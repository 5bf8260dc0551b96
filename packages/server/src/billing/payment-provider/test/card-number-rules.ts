import { isExpired, type TestCard } from './card-behaviour.ts';
import { findCardByNumber } from './card-list.ts';

/** Card data as typed. */
export interface TypedCard {
  /** Blanks and hyphens between the digits are ignored. */
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
}

/** Why typed data is refused: the field, and the reason in the terms of payment providers. */
export interface CardRefusal {
  field: keyof TypedCard;
  reason: 'incorrect_number' | 'not_a_test_card' | 'invalid_expiry_month' | 'invalid_expiry_year' | 'invalid_cvc';
}

/** Judges typed card data against the organization's clock: returns the test card, or the first error. */
export function judgeTypedCard(typed: TypedCard, nowMs: number): { card: TestCard } | { refusal: CardRefusal } {
  const number = typed.number.replaceAll(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number) || !isLuhn(number)) {
    return { refusal: { field: 'number', reason: 'incorrect_number' } };
  }
  const card = findCardByNumber(number);
  if (card === undefined) {
    return { refusal: { field: 'number', reason: 'not_a_test_card' } };
  }
  if (!Number.isInteger(typed.exp_month) || typed.exp_month < 1 || typed.exp_month > 12) {
    return { refusal: { field: 'exp_month', reason: 'invalid_expiry_month' } };
  }
  if (!isPlausibleYear(typed.exp_year, nowMs) || isExpired(typed.exp_month, typed.exp_year, nowMs)) {
    return { refusal: { field: 'exp_year', reason: 'invalid_expiry_year' } };
  }
  const cvcForm = card.brand === 'amex' ? /^\d{4}$/ : /^\d{3}$/;
  return cvcForm.test(typed.cvc) ? { card } : { refusal: { field: 'cvc', reason: 'invalid_cvc' } };
}

const MOST_YEARS_AHEAD = 50;

function isPlausibleYear(year: number, nowMs: number): boolean {
  return Number.isInteger(year) && year <= new Date(nowMs).getUTCFullYear() + MOST_YEARS_AHEAD;
}

/** ISO/IEC 7812-1 Annex B: from the right, every second digit doubled, the digits of all summed, divisible by ten. */
export function isLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
