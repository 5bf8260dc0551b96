import { exponentOf } from '../../money/amounts.ts';

/**
 * Currencies that Stripe counts in other units than ISO 4217, with their decimals at Stripe
 * (docs.stripe.com/currencies). The króna and the shilling no longer have decimals, but are still sent with two, which
 * must be 00; the ariary is sent in whole units. HUF and TWD are special only for payouts.
 */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 };

/** In Stripe's own units, eight digits. */
const LARGEST = 99_999_999;

/**
 * The amount in Stripe's units. It is never rounded: an amount that Stripe cannot charge is not an integer, or is refused there.
 */
export function toStripeAmount(amount: number, currency: string): number {
  const shift = shiftOf(currency);
  // Divided, not multiplied by a fraction, so that a chargeable amount stays an integer.
  return shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift;
}

/** Converts a Stripe amount to minor units of the currency. */
export function fromStripeAmount(amount: number, currency: string): number {
  const shift = shiftOf(currency);
  return shift < 0 ? amount * 10 ** -shift : Math.round(amount / 10 ** shift);
}

/** The maximum amount of one Stripe charge, in minor units of the currency. */
export function maxStripeAmount(currency: string): number {
  const shift = shiftOf(currency);
  return shift < 0 ? LARGEST * 10 ** -shift : Math.floor(LARGEST / 10 ** shift);
}

/**
 * The minimum amount of a Stripe charge, in minor units of the currency. Accounts that settle in another currency may
 * require more.
 */
export function minStripeAmount(currency: string): number {
  return (Object.hasOwn(SMALLEST_CHARGES, currency) ? SMALLEST_CHARGES[currency] : undefined) ?? SMALLEST_CHARGE;
}

/** How many more decimals a currency has at Stripe than in ISO 4217. */
function shiftOf(currency: string): number {
  const decimals = Object.hasOwn(STRIPE_DECIMALS, currency) ? STRIPE_DECIMALS[currency] : undefined;
  return decimals === undefined ? 0 : decimals - exponentOf(currency);
}

/** The minimum for all currencies not in the table, in minor units. */
export const SMALLEST_CHARGE = 50;

/**
 * The minimums that Stripe publishes (docs.stripe.com/currencies), and half a unit for currencies with three decimals,
 * in minor units.
 */
export const SMALLEST_CHARGES: Readonly<Record<string, number>> = {
  aed: 200,
  bgn: 100,
  czk: 1_500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1_000,
  mga: 5_000,
  bhd: 500,
  iqd: 500,
  jod: 500,
  kwd: 500,
  lyd: 500,
  omr: 500,
  tnd: 500,
};
