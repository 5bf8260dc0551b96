/** Amounts are minor units of ISO 4217. Stripe takes these two, which have none any more, as if they had hundredths. */
const TIMES_HUNDRED: ReadonlySet<string> = new Set(['isk', 'ugx']);

/** Of Stripe's own units, eight digits. */
const LARGEST = 99_999_999;

/** The amount as Stripe wants it said. */
export function toStripeAmount(amount: number, currency: string): number {
  return TIMES_HUNDRED.has(currency) ? amount * 100 : amount;
}

/** An amount of Stripe's in minor units of the currency. */
export function fromStripeAmount(amount: number, currency: string): number {
  return TIMES_HUNDRED.has(currency) ? Math.round(amount / 100) : amount;
}

/** The most that Stripe charges at once, in minor units of the currency. */
export function maxStripeAmount(currency: string): number {
  return TIMES_HUNDRED.has(currency) ? Math.floor(LARGEST / 100) : LARGEST;
}

/** The least that Stripe charges, in minor units of the currency. An account that settles in another may need more. */
export function minStripeAmount(currency: string): number {
  return (Object.hasOwn(SMALLEST_CHARGES, currency) ? SMALLEST_CHARGES[currency] : undefined) ?? SMALLEST_CHARGE;
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
  bhd: 500,
  iqd: 500,
  jod: 500,
  kwd: 500,
  lyd: 500,
  omr: 500,
  tnd: 500,
};
