-- The vendor grants credit for a reason of their own. It belongs to no subscription.
alter table billing_credit_entries
  alter column subscription_id drop not null,
  add column note text,
  drop constraint billing_credit_entries_reason_check,
  add constraint billing_credit_entries_reason_check
    check (reason in ('decrease', 'applied', 'returned', 'late_payment', 'granted')) not valid,
  add constraint billing_credit_entries_granted
    check ((subscription_id is null) = (reason = 'granted') and (note is null) = (reason <> 'granted')) not valid;
