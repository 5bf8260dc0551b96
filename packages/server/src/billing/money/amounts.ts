// --- Currencies ---

/** The number of decimals of a currency (ISO 4217), by its lowercase code; all others have two. */
const EXPONENTS: Readonly<Record<string, number>> = {
  bif: 0,
  clp: 0,
  djf: 0,
  gnf: 0,
  isk: 0,
  jpy: 0,
  kmf: 0,
  krw: 0,
  pyg: 0,
  rwf: 0,
  ugx: 0,
  uyi: 0,
  vnd: 0,
  vuv: 0,
  xaf: 0,
  xof: 0,
  xpf: 0,
  bhd: 3,
  iqd: 3,
  jod: 3,
  kwd: 3,
  lyd: 3,
  omr: 3,
  tnd: 3,
  clf: 4,
  uyw: 4,
};

/** The decimals of a currency's minor unit; `currency` is ISO 4217 in lower case. */
export function exponentOf(currency: string): number {
  return Object.hasOwn(EXPONENTS, currency) ? (EXPONENTS[currency] ?? 2) : 2;
}

/**
 * The smallest step in which a currency can be charged, in minor units of ISO 4217; for all others it is 1. Card
 * networks do not support a third decimal, so Stripe requires the last digit of these to be 0. The ariary is divided
 * into five only on paper: ISO 4217 gives it two decimals, and Stripe charges whole ones. (docs.stripe.com/currencies)
 */
export const CHARGE_UNITS: Readonly<Record<string, number>> = {
  bhd: 10,
  jod: 10,
  kwd: 10,
  omr: 10,
  tnd: 10,
  mga: 100,
};

/** The step in which a currency can be charged, in minor units; `currency` is ISO 4217 in lower case. */
export function chargeUnitOf(currency: string): number {
  return Object.hasOwn(CHARGE_UNITS, currency) ? (CHARGE_UNITS[currency] ?? 1) : 1;
}

/** Whether the currency exists; `currency` is ISO 4217 in lower case. */
export function isKnownCurrency(currency: string): boolean {
  return CURRENCIES.has(currency);
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

// --- Rounding ---

/**
 * The quotient of two integers, rounded half away from zero (contract §8) to a multiple of `unit`, without
 * floating-point arithmetic. `denominator` and `unit` are positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint, unit = 1n): bigint {
  const divisor = denominator * unit;
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = ((size + divisor / 2n) / divisor) * unit;
  return numerator < 0n ? -rounded : rounded;
}

/** An amount rounded half away from zero to a chargeable amount. */
export function roundToUnit(amount: bigint, unit: bigint): bigint {
  return divideRounded(amount, 1n, unit);
}

// --- For people ---

/**
 * An amount of minor units as people read it, without its currency: 1,450.00. Not formatted by Intl, whose data changes
 * between releases: the PDF of an invoice must stay the same byte for byte.
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
