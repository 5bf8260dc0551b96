import { count, many, statement } from '../../database/index.ts';

/** Whether these organizations have invoices from before this time. */
export const listInvoiceAges = statement({
  name: 'list_invoice_ages',
  parameters: { organizationIds: 'text[]', before: 'timestamptz' },
  returns: many<{ organization_id: string; is_over: boolean }>(),
  sql: ({ organizationIds, before }) => `
    select o.id as organization_id, exists (
        select from invoices where organization_id = o.id and created_at < ${before}
      ) as is_over
    from unnest(${organizationIds}) as o (id)`,
});

/**
 * Deletes invoices from before this time, at most `limit`, strictly oldest first, so that the remaining numbers have no
 * gap. An open invoice, or the last one of a live subscription, stays, and so do all after it. The account is locked.
 */
export const deleteOldInvoices = statement({
  name: 'delete_old_invoices',
  parameters: { organizationId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, before, limit }) => `with portion as materialized (
      select i.id, i.sequence, i.created_at < ${before} and i.status <> 'open' and not exists (
          select from subscriptions s where s.organization_id = ${organizationId} and s.id = i.subscription_id
            and s.latest_invoice_id = i.id and s.next_action_at is not null
        ) as is_over
      from invoices i
      where i.organization_id = ${organizationId}
        and i.sequence >= (select first_kept_invoice_number from billing_accounts where organization_id = ${organizationId})
      order by i.sequence limit ${limit}
    ), gone as materialized (
      select id, sequence from portion where sequence < coalesce(
        (select min(sequence) from portion where not is_over), 2147483647)
    ), pdfs as (
      delete from invoice_pdfs where organization_id = ${organizationId} and invoice_id = any(array(select id from gone))
    ), paid as (
      delete from payments where organization_id = ${organizationId} and invoice_id = any(array(select id from gone))
    ), moved as (
      update billing_accounts set first_kept_invoice_number = g.last + 1
      from (select max(sequence) as last from gone) g
      where organization_id = ${organizationId} and g.last is not null
    )
    delete from invoices where organization_id = ${organizationId} and id = any(array(select id from gone))`,
});

/** Deletes payments with IDs before this one that collected nothing, at most `limit`. */
export const deleteOldFailedPayments = statement({
  name: 'delete_old_failed_payments',
  parameters: { organizationId: 'text', firstKeptId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, firstKeptId, limit }) => `delete from payments
    where organization_id = ${organizationId} and id = any(array(
      select id from payments
      where organization_id = ${organizationId} and id < ${firstKeptId} and status in ('declined', 'canceled')
        and invoice_id is null
      order by id limit ${limit}
    ))`,
});

/** Deletes orphaned payments that were closed before this time, at most `limit`, the first closed first. */
export const deleteOldOrphans = statement({
  name: 'delete_old_orphaned_payments',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `delete from orphaned_payments where id = any(array(
      select id from orphaned_payments where closed_at < ${before} order by closed_at limit ${limit}
      for update skip locked
    ))`,
});
