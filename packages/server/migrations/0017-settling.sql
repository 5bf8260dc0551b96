-- Money that came too late, for something that had ended or was booked as not paid, is credit with a reason of its own and
-- names its payment. Every row that is there fulfils the wider check, so none is read again.
alter table billing_credit_entries
  drop constraint billing_credit_entries_reason_check,
  add constraint billing_credit_entries_reason_check
    check (reason in ('decrease', 'applied', 'returned', 'late_payment')) not valid,
  add column payment_id text;

-- Whether a card may be charged while the customer is away. A card gets its mandate from a payment at which the customer
-- is there and that asks for one; without it an issuer under SCA refuses every renewal.
alter table payment_methods
  add column has_mandate boolean not null default false;
alter table payments
  add column sets_up_mandate boolean not null default false;
-- Until now only the first payment of a subscription asked for one.
update payment_methods m set has_mandate = true
where exists (
  select from payments p
  where p.organization_id = m.organization_id and p.payment_method_id = m.id and p.status = 'succeeded'
    and p.purpose = 'create' and p.is_on_session
);
update payments set sets_up_mandate = true where settled_at is null and purpose = 'create' and is_on_session;
