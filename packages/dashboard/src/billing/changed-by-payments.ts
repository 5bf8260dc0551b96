/** The prefixes of query keys that a payment may affect. */
export const CHANGED_BY_PAYMENTS = [
  ['subscriptions'],
  ['invoices'],
  ['payment-methods'],
  ['licenses'],
  ['credit-balance'],
  ['usage'],
  ['quick-start'],
] as const;
