import { exponentOf } from './currencies.ts';

/**
 * An amount of minor units as people read it, without its currency: 1,450.00. Written here rather than by Intl, whose
 * data changes between releases: the PDF of an invoice is to stay the same byte for byte.
 */
export function formatAmount(amount: number, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`;
  return `${amount < 0 ? '-' : ''}${whole}${fraction}`;
}

/** The same with its currency: 1,450.00 USD. */
export function formatMoney(amount: number, currency: string): string {
  return `${formatAmount(amount, currency)} ${currency.toUpperCase()}`;
}
