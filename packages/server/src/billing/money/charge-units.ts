/**
 * The smallest step in which a currency can be charged, in minor units of ISO 4217; for all others it is 1. Card networks
 * take no third decimal, so Stripe wants the last digit of these to be 0. The ariary is divided into five on paper alone:
 * ISO 4217 gives it two decimals, and Stripe charges whole ones. (docs.stripe.com/currencies)
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
