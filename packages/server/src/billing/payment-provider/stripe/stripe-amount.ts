/** Amounts are minor units of ISO 4217. Stripe takes these two, which have none any more, as if they had hundredths. */
const TIMES_HUNDRED: ReadonlySet<string> = new Set(['isk', 'ugx']);

/** The amount as Stripe wants it said. */
export function toStripeAmount(amount: number, currency: string): number {
  return TIMES_HUNDRED.has(currency) ? amount * 100 : amount;
}
