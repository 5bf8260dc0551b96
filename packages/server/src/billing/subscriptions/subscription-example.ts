/** The example of a subscription in the API reference and the events. */
export const SUBSCRIPTION_EXAMPLE = {
  id: 'sub_01kagt2m8xf3q9wz5r7e6b4c1r',
  status: 'active' as const,
  plan: {
    id: 'plan_01kagt2m8xf3q9wz5r7e6b4c1q',
    name: 'Pro',
    price: 2_900,
    currency: 'usd',
    interval: 'month' as const,
  },
  quantity: 5,
  current_period_start: '2026-01-31T12:00:00.000Z',
  current_period_end: '2026-02-28T12:00:00.000Z',
  cancel_at_period_end: false,
  created_at: '2026-01-31T12:00:00.000Z',
  canceled_at: null,
  ended_at: null,
  coupon: null,
  latest_invoice_id: 'inv_01kagt2m8xf3q9wz5r7e6b4c1s',
  license_id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1e',
  requires_action: false,
  pending_change: null,
};

export const CANCELED_EXAMPLE = {
  ...SUBSCRIPTION_EXAMPLE,
  cancel_at_period_end: true,
  canceled_at: '2026-02-10T09:30:00.000Z',
};

/** Three seats more for the last 14 of 28 days. */
export const PREVIEW_EXAMPLE = {
  quantity: 8,
  plan_id: SUBSCRIPTION_EXAMPLE.plan.id,
  proration_at: '2026-02-14T12:00:00.000Z',
  amount: 4_350,
  lines: [
    {
      description: 'Pro, 8 seats (previously 5), prorated (Feb 14 – Feb 28, 2026)',
      quantity: 1,
      unit_amount: 4_350,
      amount: 4_350,
    },
  ],
  subtotal: 4_350,
  discount: 0,
  tax: 0,
  tax_lines: [],
  total: 4_350,
  credit_applied: 0,
  amount_due: 4_350,
  credit_added: 0,
  carried: 0,
  currency: 'usd',
  description: 'Pro, 8 seats (previously 5), prorated (Feb 14 – Feb 28, 2026)',
  next_period_amount: 23_200,
};

/** Five seats with a 20% discount, and some credit. */
export const ORDER_PREVIEW_EXAMPLE = {
  plan_id: SUBSCRIPTION_EXAMPLE.plan.id,
  quantity: 5,
  coupon: {
    id: 'coup_01kagt2m8xf3q9wz5r7e6b4c1t',
    code: 'WELCOME-20',
    percent_off: 20,
    amount_off: null,
    currency: null,
    duration: 'once',
    duration_months: null,
  },
  lines: [{ description: 'Pro, 5 seats (Jan 31 – Feb 28, 2026)', quantity: 5, unit_amount: 2_900, amount: 14_500 }],
  subtotal: 14_500,
  discount: 2_900,
  tax: 0,
  tax_lines: [],
  total: 11_600,
  credit_applied: 1_600,
  amount_due: 10_000,
  currency: 'usd',
  next_period_amount: 14_500,
};
