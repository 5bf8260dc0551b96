import type { Statement } from '../../database/index.ts';

/** The next organizations in the order of their keys, and whether they have invoices of before `$3` or ended before it. */
export const LIST_BOOK_AGES: Statement<{ organization_id: string; is_over: boolean }> = {
  name: 'list_book_ages',
  text: `select o.id as organization_id, (o.erased_at is not null and o.deleted_at < $3) or exists (
        select from invoices where organization_id = o.id and created_at < $3
      ) as is_over
    from (select id, erased_at, deleted_at from organizations where id > $1 order by id limit $2) o order by o.id`,
};

/** Whether an organization was erased and deleted before this time: then its books may go whole. */
export const FIND_ENDED_ORGANIZATION: Statement<{ id: string }> = {
  name: 'find_ended_organization',
  text: 'select id from organizations where id = $1 and erased_at is not null and deleted_at < $2',
};

/**
 * $1 organization, $2 invoices of before this time, $3 how many at most. The oldest go, and none is left out between two that
 * go or two that stay, so the numbers that are kept have no gap. One that is open or that a live subscription was last billed
 * by stays, with all after it. The account is locked.
 */
export const DELETE_OLD_INVOICES: Statement<{ id: string }> = {
  name: 'delete_old_invoices',
  text: `with portion as materialized (
      select i.id, i.sequence, i.created_at < $2 and i.status <> 'open' and not exists (
          select from subscriptions s where s.organization_id = $1 and s.id = i.subscription_id
            and s.latest_invoice_id = i.id and s.next_action_at is not null
        ) as is_over
      from invoices i
      where i.organization_id = $1
        and i.sequence >= (select first_kept_invoice_number from billing_accounts where organization_id = $1)
      order by i.sequence limit $3
    ), gone as materialized (
      select id, sequence from portion where sequence < coalesce(
        (select min(sequence) from portion where not is_over), 2147483647)
    ), pdfs as (
      delete from invoice_pdfs where organization_id = $1 and invoice_id = any(array(select id from gone))
    ), paid as (
      delete from payments where organization_id = $1 and invoice_id = any(array(select id from gone))
    ), moved as (
      update billing_accounts set first_kept_invoice_number = g.last + 1
      from (select max(sequence) as last from gone) g where organization_id = $1 and g.last is not null
    )
    delete from invoices where organization_id = $1 and id = any(array(select id from gone)) returning id`,
};

/** $1 organization, $2 payments with identifiers before this one, $3 how many at most: those that collected nothing. */
export const DELETE_OLD_FAILED_PAYMENTS: Statement<{ id: string }> = {
  name: 'delete_old_failed_payments',
  text: `delete from payments where organization_id = $1 and id = any(array(
      select id from payments
      where organization_id = $1 and id < $2 and status in ('declined', 'canceled') and invoice_id is null
      order by id limit $3
    )) returning id`,
};

/** $1 orphaned payments that were closed before this time, $2 how many at most, the first closed first. */
export const DELETE_OLD_ORPHANS: Statement<{ id: string }> = {
  name: 'delete_old_orphaned_payments',
  text: `delete from orphaned_payments where id = any(array(
      select id from orphaned_payments where closed_at < $1 order by closed_at limit $2 for update skip locked
    )) returning id`,
};
