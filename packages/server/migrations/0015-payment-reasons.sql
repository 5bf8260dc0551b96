-- What a payment is for. The provider keeps the same beside it, so that a payment can be recognized when these rows are lost
-- and restored from a backup. Null in payments that an earlier version began.
alter table payments
  -- The billing period that it is for, counted from 0, and when that begins.
  add column period_index integer check (period_index >= 0),
  add column period_start timestamptz(3),
  -- The attempt to collect that period, or the change of the subscription, counted from 1.
  add column attempt integer check (attempt >= 1),
  -- When a reconciliation last saw it at the provider, as it is here.
  add column reconciled_at timestamptz(3),
  add check ((period_index is null) = (attempt is null)),
  add check ((period_index is null) = (period_start is null));
create index payments_by_creation on payments (created_at, id);
create index payments_by_status on payments (status, created_at, id);
create index payments_of_organization on payments (organization_id, created_at, id);

-- Payments that took money at the provider and that nothing here explains. They may be of an organization that is unknown here,
-- so the table belongs to the installation, as the provider's events do.
create table orphaned_payments (
  id text primary key,
  provider text not null check (provider in ('test', 'stripe')),
  provider_ref text not null,
  -- What the provider says it is for; null where it does not.
  organization_id text,
  subscription_id text,
  period_index integer,
  attempt integer,
  purpose text,
  customer_ref text,
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency text not null,
  -- awaited: a payment that is due here will take it; orphaned: nothing explains it; adopted: a payment has taken it since;
  -- resolved: staff have dealt with it, so nothing takes it any more.
  status text not null check (status in ('awaited', 'orphaned', 'adopted', 'resolved')),
  -- Why nothing explains it.
  reason text,
  -- What staff did about it.
  note text,
  -- When an awaited one is looked at again, in real time.
  review_at timestamptz(3),
  -- When finance were told by mail.
  told_at timestamptz(3),
  -- When the provider collected it.
  created_at timestamptz(3) not null,
  found_at timestamptz(3) not null,
  closed_at timestamptz(3),
  check ((status = 'awaited') = (review_at is not null)),
  check ((status in ('adopted', 'resolved')) = (closed_at is not null)),
  check (status <> 'orphaned' or reason is not null)
);
create unique index orphaned_payments_ref on orphaned_payments (provider, provider_ref);
create index orphaned_payments_open on orphaned_payments (created_at, id) where status = 'orphaned';
create index orphaned_payments_of_organization on orphaned_payments (organization_id, created_at, id)
  where status = 'orphaned';
create index orphaned_payments_untold on orphaned_payments (found_at, id) where status = 'orphaned' and told_at is null;
create index orphaned_payments_to_review on orphaned_payments (review_at) where status = 'awaited';

-- A payment made in the provider's dashboard names its customer alone.
create index billing_accounts_of_customer on billing_accounts (customer_ref) where customer_ref is not null;

-- The last comparison of a provider's payments with these, so that one that was interrupted goes on.
create table payment_reconciliations (
  provider text primary key check (provider in ('test', 'stripe')),
  -- Payments that the provider made within this time are compared, in real time.
  since timestamptz(3) not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- provider: reads the provider's payments; database: looks for those that the provider does not have.
  phase text not null check (phase in ('provider', 'database')),
  -- Where the phase goes on; null at its beginning.
  cursor text,
  -- What was found so far.
  counts jsonb not null
);

-- What the test provider was told that a charge is for, as Stripe keeps metadata.
alter table test_charges
  add column metadata jsonb;
create index test_charges_of_customer on test_charges (customer_ref, created_at, ref);
create index test_charges_by_creation on test_charges (created_at, ref);
