import { exponentOf } from '../../money/amounts.ts';

/**
 * Currencies that Stripe counts in other units than ISO 4217 does, with the decimals that it gives them
 * (docs.stripe.com/currencies). The króna and the shilling have none any more, but are still sent with two, which must be
 * 00; the ariary is sent whole. HUF and TWD are special for payouts alone.
 */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 };

/** Of Stripe's own units, eight digits. */
const LARGEST = 99_999_999;

/**
 * The amount in Stripe's units. It is never rounded: an amount that Stripe cannot charge is not an integer, or is refused there.
 */
export function toStripeAmount(amount: number, currency: string): number {
  const shift = shiftOf(currency);
  // Divided, not multiplied by a fraction: what can be charged stays a whole number.
  return shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift;
}

/** An amount of Stripe's in minor units of the currency. */
export function fromStripeAmount(amount: number, currency: string): number {
  const shift = shiftOf(currency);
  return shift < 0 ? amount * 10 ** -shift : Math.round(amount / 10 ** shift);
}

/** The most that Stripe charges at once, in minor units of the currency. */
export function maxStripeAmount(currency: string): number {
  const shift = shiftOf(currency);
  return shift < 0 ? LARGEST * 10 ** -shift : Math.floor(LARGEST / 10 ** shift);
}

/** The least that Stripe charges, in minor units of the currency. An account that settles in another may need more. */
export function minStripeAmount(currency: string): number {
  return (Object.hasOwn(SMALLEST_CHARGES, currency) ? SMALLEST_CHARGES[currency] : undefined) ?? SMALLEST_CHARGE;
}

/** How many more decimals Stripe gives a currency than ISO 4217 does. */
function shiftOf(currency: string): number {
  const decimals = Object.hasOwn(STRIPE_DECIMALS, currency) ? STRIPE_DECIMALS[currency] : undefined;
  return decimals === undefined ? 0 : decimals - exponentOf(currency);
}

/** What it is in all currencies that the table does not name, in minor units. */
export const SMALLEST_CHARGE = 50;

/** What Stripe publishes (docs.stripe.com/currencies), and half a unit of the currencies of three decimals, in minor units. */
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
