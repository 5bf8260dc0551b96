-- Payments that nothing explained go when they were closed long ago, or with the books of their organization.
create index orphaned_payments_closed on orphaned_payments (closed_at) where closed_at is not null;
create index orphaned_payments_by_organization on orphaned_payments (organization_id, id);

-- Payments that collected nothing have no invoice to go with. The others of an organization are not read to find them.
create index payments_that_failed on payments (organization_id, id)
  where invoice_id is null and status in ('declined', 'canceled');
