import type { FeatureValue } from '../../src/billing/index.ts';
import type { Queries } from '../../src/database/index.ts';
import { execute } from '../harness/index.ts';

/** Rows as PostgreSQL writes them as JSON. Times are texts. */
export interface SubscriptionRecord {
  id: string;
  status: 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';
  plan_id: string;
  quantity: number;
  period_index: number;
  current_period_start: string;
  current_period_end: string;
  /** As text, because it may exceed a number. */
  accrued: string;
  period_billed: number;
  coupon_id: string | null;
  cancel_at_period_end: boolean;
  canceled_at: string | null;
  ended_at: string | null;
  latest_invoice_id: string | null;
  license_id: string | null;
  requires_action: boolean;
  pending_quantity: number | null;
  dunning_ends_at: string | null;
  next_action_at: string | null;
  updated_at: string;
}
export interface InvoiceRecord {
  id: string;
  sequence: number;
  number: string;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  subscription_id: string;
  reason: 'create' | 'renewal' | 'change';
  period_index: number;
  subtotal: number;
  discount: number;
  tax: number;
  tax_lines: Array<{ amount: number }>;
  credit_applied: number;
  amount_due: number;
  amount_paid: number;
  currency: string;
  lines: Array<{ quantity: number; unit_amount: number; amount: number }>;
}
export interface PaymentRecord {
  id: string;
  subscription_id: string;
  invoice_id: string | null;
  purpose: string;
  amount: number;
  provider_ref: string | null;
  status: 'pending' | 'requires_action' | 'processing' | 'succeeded' | 'declined' | 'canceled';
  settled_at: string | null;
  intent: { couponId?: string | null; invoice?: { id: string } };
}
export interface PlanRecord {
  id: string;
  name: string;
  price: number | null;
  currency: string;
  product: string;
  tier: string;
  grace_seconds: number;
  license_features: Record<string, FeatureValue>;
}
export interface CouponRecord {
  id: string;
  code: string;
  percent_off: number | null;
  amount_off: number | null;
  duration: 'once' | 'repeating' | 'forever';
  duration_months: number | null;
  redemptions: number;
  max_redemptions_per_organization: number;
}

/** All records about one organization's money, at one moment. */
export interface Records {
  now: string;
  tier: string;
  invoice_code: string | null;
  last_invoice_number: number;
  plans: PlanRecord[];
  coupons: CouponRecord[];
  subscriptions: SubscriptionRecord[];
  invoices: InvoiceRecord[];
  payments: PaymentRecord[];
  charges: Array<{ ref: string; amount: number; status: string }>;
  methods: Array<{ id: string; is_default: boolean }>;
  credits: Array<{ currency: string; balance: number }>;
  entries: Array<{
    currency: string;
    amount: number;
    reason: string;
    subscription_id: string;
    invoice_id: string | null;
    created_at: string;
  }>;
  licenses: Array<{
    id: string;
    subscription_id: string;
    product: string;
    max_seats: number;
    features: Record<string, FeatureValue>;
    expires_at: string;
    renews: boolean;
  }>;
  events: Array<{ type: string; about: string }>;
}

/** Reads them, including the coupons whose code starts with `prefix`. */
export async function readRecords(database: Queries, organizationId: string, prefix: string): Promise<Records> {
  const [row] = await execute<{ records: Records }>(database, READ, [organizationId, prefix]);
  if (row === undefined) {
    throw new Error('the organization is gone');
  }
  return row.records;
}

const all = (rows: string) => `(select coalesce(jsonb_agg(r), '[]') from (${rows}) r)`;

const READ = `select jsonb_build_object(
    'now', clock_timestamp() + o.clock_offset_ms * interval '1 millisecond',
    'tier', o.tier,
    'invoice_code', a.invoice_code,
    'last_invoice_number', coalesce(a.last_invoice_number, 0),
    'plans', ${all('select * from plans order by id')},
    'coupons', ${all('select * from coupons where starts_with(code, $2) order by code')},
    'subscriptions', ${all('select s.*, s.period_accrued::text as accrued from subscriptions s where organization_id = o.id order by id')},
    'invoices', ${all('select * from invoices where organization_id = o.id order by sequence')},
    'payments', ${all('select * from payments where organization_id = o.id order by id')},
    'charges', ${all(`select * from test_charges where customer_ref = 'cus_test_' || o.id order by created_at`)},
    'methods', ${all('select * from payment_methods where organization_id = o.id and removed_at is null order by id')},
    'credits', ${all('select * from billing_credits where organization_id = o.id order by currency')},
    'entries', ${all('select * from billing_credit_entries where organization_id = o.id order by id')},
    'licenses', ${all('select * from licenses where organization_id = o.id and subscription_id is not null')},
    'events', ${all(`select type, coalesce(object ->> 'invoice_id', object ->> 'subscription_id') as about from events
      where organization_id = o.id order by id`)}
  ) as records
  from organizations o left join billing_accounts a on a.organization_id = o.id where o.id = $1`;
