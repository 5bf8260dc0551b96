/** What a payment may have changed: the beginnings of query keys. */
export const CHANGED_BY_PAYMENTS = [
  ['subscriptions'],
  ['invoices'],
  ['payment-methods'],
  ['licenses'],
  ['credit-balance'],
  ['usage'],
  ['quick-start'],
] as const;
