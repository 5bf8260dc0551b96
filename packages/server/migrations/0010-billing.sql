-- The catalogue: what the operator sells. It belongs to the installation, not to one organization.
create table plans (
  id text primary key,
  -- The name that the catalogue file knows it by.
  key text not null,
  name text not null,
  description text not null,
  -- Of one seat for one interval, in minor units; null when the plan is sold by contact.
  price bigint check (price >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  interval text not null check (interval = 'month'),
  contact_sales boolean not null default false,
  tier text not null check (tier in ('free', 'pro', 'enterprise')),
  product text not null,
  features jsonb not null,
  license_features jsonb not null,
  -- What each meter includes in a period, by its name.
  included jsonb not null default '{}',
  grace_seconds integer not null check (grace_seconds >= 0),
  heartbeat_interval_seconds integer,
  session_timeout_seconds integer,
  -- No longer in the catalogue: nobody can subscribe, those who did stay.
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Plans without a price come last.
  price_order bigint generated always as (coalesce(price, 9223372036854775807)) stored,
  check (contact_sales = (price is null))
);
create unique index plans_key on plans (key);
create index plans_by_price on plans (price_order, id) where archived_at is null;
create index plans_by_name on plans (name, id) where archived_at is null;

create table coupons (
  id text primary key,
  code text not null,
  percent_off integer check (percent_off between 1 and 100),
  -- In minor units of the currency.
  amount_off bigint check (amount_off > 0),
  currency text check (currency ~ '^[a-z]{3}$'),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  duration_months integer check (duration_months > 0),
  redeem_by timestamptz(3),
  max_redemptions integer check (max_redemptions > 0),
  redemptions integer not null default 0 check (redemptions >= 0),
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((percent_off is null) <> (amount_off is null)),
  check ((amount_off is null) = (currency is null)),
  check ((duration = 'repeating') = (duration_months is not null)),
  -- The one guard of the last redemption, whatever runs at once.
  check (max_redemptions is null or redemptions <= max_redemptions)
);
create unique index coupons_code on coupons (code);

create table meters (
  name text primary key,
  -- sum: all records of the period; last: the newest record before its end; max: the largest.
  aggregation text not null check (aggregation in ('sum', 'last', 'max')),
  created_at timestamptz(3) not null
);

-- One row for each organization that ever bought: the lock of all its money. Whatever changes a subscription, an invoice,
-- a payment or a credit of an organization holds it, so nothing of these moves meanwhile.
create table billing_accounts (
  organization_id text primary key,
  -- The first part of invoice numbers.
  invoice_code text not null,
  -- Counts up in the transaction that finalizes an invoice, so numbers have no gap: a rollback takes the count back.
  last_invoice_number integer not null default 0 check (last_invoice_number >= 0),
  -- The customer at the payment provider.
  customer_ref text,
  created_at timestamptz(3) not null
);
create unique index billing_accounts_code on billing_accounts (invoice_code);

-- What is owed to the organization, and used by its next invoices.
create table billing_credits (
  organization_id text not null,
  currency text not null,
  balance bigint not null check (balance >= 0),
  primary key (organization_id, currency)
);
create table billing_credit_entries (
  organization_id text not null,
  id text not null,
  currency text not null,
  -- Positive when credit is given, negative when it is used.
  amount bigint not null check (amount <> 0),
  reason text not null check (reason in ('decrease', 'applied', 'returned')),
  subscription_id text not null,
  -- The invoice, or the payment before there is one, that used it or gave it back.
  invoice_id text,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create index billing_credit_entries_of_invoice on billing_credit_entries (organization_id, invoice_id)
  where invoice_id is not null;

create table payment_methods (
  organization_id text not null,
  id text not null,
  provider text not null check (provider in ('test', 'stripe')),
  -- The provider's own identifier.
  provider_ref text not null,
  type text not null check (type = 'card'),
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  is_default boolean not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (organization_id, id),
  check (removed_at is null or not is_default)
);
create unique index payment_methods_default on payment_methods (organization_id)
  where is_default and removed_at is null;
create unique index payment_methods_ref on payment_methods (organization_id, provider_ref) where removed_at is null;
-- A provider's event names a method by its own identifier alone.
create index payment_methods_of_provider on payment_methods (provider, provider_ref) where removed_at is null;
create index payment_methods_by_creation on payment_methods (organization_id, created_at, id) where removed_at is null;

create table subscriptions (
  organization_id text not null,
  id text not null,
  status text not null check (status in ('incomplete', 'active', 'past_due', 'canceled', 'expired')),
  plan_id text not null references plans,
  quantity integer not null check (quantity between 1 and 10000),
  currency text not null,
  -- Period n begins n calendar months after the anchor, whatever happened between.
  anchor timestamptz(3) not null,
  period_index integer not null check (period_index >= 0),
  current_period_start timestamptz(3) not null,
  current_period_end timestamptz(3) not null,
  -- Minor units times seconds that this period is to cost by now; divided by its length and rounded it is the target.
  period_accrued numeric(60, 0) not null,
  -- What was billed and credited for this period so far, in minor units.
  period_billed bigint not null,
  coupon_id text references coupons,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz(3),
  canceled_by text,
  cancel_reason text,
  ended_at timestamptz(3),
  latest_invoice_id text,
  license_id text,
  -- The payment that waits for the customer or the provider, of whatever purpose.
  requires_action boolean not null default false,
  pending_payment_id text,
  pending_quantity integer check (pending_quantity between 1 and 10000),
  pending_plan_id text references plans,
  pending_expires_at timestamptz(3),
  -- Dunning: how many of the retries are over, when the next is, and when it ends.
  dunning_retries integer not null default 0,
  next_attempt_at timestamptz(3),
  dunning_ends_at timestamptz(3),
  -- When something is to be done next, on the organization's clock; null when it has ended.
  next_action_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  check (current_period_start < current_period_end),
  check ((status in ('canceled', 'expired')) = (ended_at is not null)),
  check ((ended_at is null) = (next_action_at is not null)),
  check ((status = 'past_due') = (dunning_ends_at is not null)),
  check ((pending_quantity is null) = (pending_plan_id is null)),
  check ((pending_quantity is null) = (pending_expires_at is null))
);
create index subscriptions_due on subscriptions (next_action_at) where next_action_at is not null;
create index subscriptions_due_of_organization on subscriptions (organization_id, next_action_at)
  where next_action_at is not null;
create index subscriptions_by_creation on subscriptions (organization_id, created_at, id);
create index subscriptions_by_period_end on subscriptions (organization_id, current_period_end, id);
create index subscriptions_by_status on subscriptions (organization_id, status, created_at, id);
create index subscriptions_by_plan on subscriptions (organization_id, plan_id, created_at, id);
-- Which plans an organization can use now.
create index subscriptions_usable_by_plan on subscriptions (organization_id, plan_id) where status in ('active', 'past_due');
-- Whether a plan was ever sold.
create index subscriptions_of_plan on subscriptions (plan_id, organization_id);
create index subscriptions_of_coupon on subscriptions (coupon_id) where coupon_id is not null;

create table invoices (
  organization_id text not null,
  id text not null,
  number text not null,
  -- The number without its code, to sort by.
  sequence integer not null check (sequence >= 1),
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  subscription_id text not null,
  -- create and renewal: a whole period in advance; change: the rest of one after more was taken.
  reason text not null check (reason in ('create', 'renewal', 'change')),
  period_index integer not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  currency text not null,
  -- subtotal - discount - credit_applied = amount_due, and so is the sum of the lines.
  subtotal bigint not null check (subtotal >= 0),
  discount bigint not null check (discount >= 0),
  credit_applied bigint not null check (credit_applied >= 0),
  amount_due bigint not null check (amount_due >= 0),
  amount_paid bigint not null check (amount_paid >= 0),
  lines jsonb not null,
  -- Whom it is made out to, as the billing details were when it was finalized.
  buyer jsonb not null,
  -- The card that paid it: brand and last4.
  paid_with jsonb,
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  closed_at timestamptz(3),
  primary key (organization_id, id),
  check (subtotal - discount - credit_applied = amount_due),
  check ((status = 'paid') = (paid_at is not null)),
  check (amount_paid = case when status = 'paid' then amount_due else 0 end)
);
create unique index invoices_sequence on invoices (organization_id, sequence);
-- A period is billed in advance once, whoever tries and how often.
create unique index invoices_of_period on invoices (organization_id, subscription_id, period_index)
  where reason <> 'change' and status <> 'void';
create index invoices_by_creation on invoices (organization_id, created_at, id);
create index invoices_by_amount on invoices (organization_id, amount_due, id);
create index invoices_by_status on invoices (organization_id, status, created_at, id);
create index invoices_of_subscription on invoices (organization_id, subscription_id, created_at, id);

-- The PDF of an invoice that will not change any more: made once.
create table invoice_pdfs (
  organization_id text not null,
  invoice_id text not null,
  sha256 bytea not null,
  content bytea not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, invoice_id)
);

-- Each attempt to collect money: written before the provider is asked, so that whatever happens to us or to the answer,
-- its outcome is looked up afterwards and the same attempt goes on.
create table payments (
  organization_id text not null,
  id text not null,
  subscription_id text not null,
  -- Null as long as the invoice waits for the outcome.
  invoice_id text,
  purpose text not null check (purpose in ('create', 'change', 'renewal', 'retry', 'pay')),
  -- What is to be written when it succeeds; see payments/payment-state.ts.
  intent jsonb not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  is_on_session boolean not null,
  payment_method_id text not null,
  method_ref text not null,
  customer_ref text not null,
  provider text not null check (provider in ('test', 'stripe')),
  -- The provider's identifier of it, written before the provider is told to charge.
  provider_ref text,
  status text not null check (status in ('pending', 'requires_action', 'processing', 'succeeded', 'declined', 'canceled')),
  decline_code text,
  -- Until when whoever works at it does so, in real time; then others look its outcome up.
  claimed_until timestamptz(3),
  -- When its outcome is looked up, on the organization's clock.
  next_check_at timestamptz(3),
  checks integer not null default 0,
  -- The request that began it (a keyed hash of user, route and Idempotency-Key), so that its repetition goes on with it.
  request_key bytea,
  request_hash bytea,
  -- In real time, for the 24 hours that the key counts.
  requested_at timestamptz(3) not null default clock_timestamp(),
  created_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (organization_id, id),
  check ((status in ('succeeded', 'declined', 'canceled')) = (settled_at is not null)),
  check ((settled_at is null) = (next_check_at is not null))
);
create unique index payments_in_flight on payments (organization_id, subscription_id) where settled_at is null;
create unique index payments_succeeded on payments (organization_id, invoice_id)
  where status = 'succeeded' and invoice_id is not null;
create unique index payments_request on payments (organization_id, request_key) where request_key is not null;
-- A provider's event names a payment by its own identifier alone.
create unique index payments_ref on payments (provider, provider_ref) where provider_ref is not null;
create index payments_to_check on payments (next_check_at) where settled_at is null;
create index payments_to_check_of_organization on payments (organization_id, next_check_at) where settled_at is null;
create index payments_of_method_in_flight on payments (organization_id, payment_method_id) where settled_at is null;
-- Which cards ever paid something.
create index payments_succeeded_by_method on payments (organization_id, payment_method_id) where status = 'succeeded';
create index payments_of_invoice on payments (organization_id, invoice_id, id) where invoice_id is not null;
create index payments_of_subscription on payments (organization_id, subscription_id, id);

-- Events of the payment provider that were handled: each once.
create table provider_events (
  provider text not null,
  event_id text not null,
  received_at timestamptz(3) not null,
  primary key (provider, event_id)
);
create index provider_events_by_age on provider_events (received_at);

-- What the built-in test provider knows. It stands for another company's system: nothing else reads or joins these.
create table test_cards (
  ref text primary key,
  -- The behaviour, as the catalogue of test cards names it.
  card text not null,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  customer_ref text,
  -- Whether the customer has authenticated with it once.
  is_set_up boolean not null default false,
  detached_at timestamptz(3),
  created_at timestamptz(3) not null
);
create table test_charges (
  ref text primary key,
  attempt_id text not null unique,
  customer_ref text not null,
  card_ref text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  is_on_session boolean not null,
  purpose text not null,
  status text not null check (status in ('unconfirmed', 'requires_action', 'processing', 'succeeded', 'declined', 'canceled')),
  decline_code text,
  -- When a processing charge succeeds, on the clock of whoever asks.
  resolves_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index test_charges_of_card on test_charges (card_ref, status);

alter table licenses
  -- Set where a subscription pays for it: the room billing decides its seats and its expiry.
  add column subscription_id text;
create unique index licenses_of_subscription on licenses (organization_id, subscription_id)
  where subscription_id is not null;
