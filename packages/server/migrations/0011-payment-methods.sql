-- A payment method that is removed here is untied at the provider afterwards, and tried again until the provider said so:
-- otherwise somebody's card would stay there for good.
alter table payment_methods
  add column customer_ref text,
  -- In real time; null when there is nothing to be untied.
  add column detach_due_at timestamptz(3),
  add column detach_tries integer not null default 0,
  add check (detach_due_at is null or (removed_at is not null and customer_ref is not null));
create index payment_methods_to_detach on payment_methods (detach_due_at) where detach_due_at is not null;
-- Whether a method was removed before: a provider's reference never comes back.
create index payment_methods_removed on payment_methods (organization_id, provider_ref) where removed_at is not null;

alter table test_cards
  -- Made by attaching the name of a test card, which stands for one card of each customer at a time.
  add column is_named boolean not null default false,
  -- How often it refused so far, for cards that do so a number of times.
  add column refusals integer not null default 0;
create unique index test_cards_named on test_cards (customer_ref, card) where is_named and detached_at is null;
-- Cards that nobody ever attached.
create index test_cards_unused on test_cards (created_at) where customer_ref is null;

alter table test_charges
  -- How often it was confirmed, for cards whose first request is lost.
  add column confirms integer not null default 0;
