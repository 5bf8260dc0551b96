-- The vendor lists the subscriptions and invoices of all organizations, and finds an invoice by the number on its paper.
create index subscriptions_of_all on subscriptions (created_at, id);
create index subscriptions_of_all_by_status on subscriptions (status, created_at, id);
create index invoices_of_all on invoices (created_at, id);
create index invoices_of_all_by_status on invoices (status, created_at, id);
create index invoices_by_number on invoices (number);
-- And a payment by its identifier in the provider's dashboard, whichever provider that is.
create index payments_by_provider_ref on payments (provider_ref) where provider_ref is not null;
create index orphaned_payments_by_provider_ref on orphaned_payments (provider_ref) where status = 'orphaned';
