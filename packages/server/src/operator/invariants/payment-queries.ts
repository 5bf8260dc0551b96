import { wallTime } from '../../database/index.ts';
import type { Invariant } from './invariant.ts';

/** Invariants of each payment, method and credit entry. */
export const PAYMENT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'payment_succeeded',
    promise: 'collected money has paid an invoice or became credit',
    subject: 'payment',
    fault: `case
        when s.status <> 'succeeded' then null
        when s.invoice_id is not null then (
          select case
            when count(*) = 0 then format('its invoice %s is missing', s.invoice_id)
            when max(i.status) <> 'paid' then format('it succeeded, but %s is %s', s.invoice_id, max(i.status))
            when max(i.amount_due) <> s.amount or max(i.currency) <> s.currency
              then format('it collected %s %s, of %s due on %s', s.amount, s.currency, max(i.amount_due), s.invoice_id)
            when max(i.subscription_id) <> s.subscription_id
              then format('it is of %s, but %s is of %s', s.subscription_id, s.invoice_id, max(i.subscription_id))
          end
          from invoices i where i.organization_id = s.organization_id and i.id = s.invoice_id)
        when not exists (
          select from billing_credit_entries e
          where e.organization_id = s.organization_id and e.subscription_id = s.subscription_id
            and e.invoice_id is null and e.reason in ('late_payment', 'returned') and e.amount = s.amount and e.currency = s.currency)
          then format('it collected %s %s, but there is neither an invoice nor credit for it', s.amount, s.currency)
      end`,
  },
  {
    name: 'orphaned_payment',
    promise: 'an orphaned payment is not booked, and an adopted payment is',
    subject: 'orphanedPayment',
    fault: `select case
        when s.status in ('orphaned', 'awaited') and count(*) > 0 then format('it is %s, but %s is booked', s.status, min(p.id))
        when s.status = 'adopted' and count(*) = 0 then 'it was adopted, but no payment is it'
      end
      from payments p where p.provider = s.provider and p.provider_ref = s.provider_ref`,
  },
  {
    name: 'payment_in_flight',
    promise: 'a payment without an outcome is looked up, and a settled one is not',
    subject: 'payment',
    fault: `case
        when (s.status in ('succeeded', 'declined', 'canceled')) <> (s.settled_at is not null)
          then format('it is %s, with settled_at %s', s.status, coalesce(s.settled_at::text, 'null'))
        when s.settled_at is null and s.next_check_at is null then 'it is in flight, and nobody will look it up'
        when s.settled_at is not null and s.next_check_at is not null then 'it is settled, but will be looked up'
        when s.settled_at is null and o.deleted_at is null
            and s.next_check_at < ${wallTime('o.clock_offset_ms')} - interval '1 hour'
          then format('its look-up was due at %s', s.next_check_at)
      end`,
  },
  {
    name: 'credit_entry_used',
    promise: 'used credit belongs to an invoice, or is reserved for one that waits for its payment',
    subject: 'creditEntry',
    fault: `case when s.invoice_id is not null
          and not exists (
            select from invoices i where i.organization_id = s.organization_id and i.id = s.invoice_id)
          and not exists (
            select from payments p where p.organization_id = s.organization_id and p.settled_at is null
              and p.intent -> 'invoice' ->> 'id' = s.invoice_id)
          -- Invoices whose time was over are gone; the entries stay, since the balance is their sum.
          and not exists (
            select from billing_accounts a left join invoices f
              on f.organization_id = a.organization_id and f.sequence = a.first_kept_invoice_number
            where a.organization_id = s.organization_id and a.first_kept_invoice_number > 1
              and (f.id is null or s.created_at < f.created_at))
        then (
          select case when sum(e.amount) <> 0
            then format('%s of credit is used by %s, which is neither an invoice nor a pending payment',
              -sum(e.amount), s.invoice_id) end
          from billing_credit_entries e where e.organization_id = s.organization_id and e.invoice_id = s.invoice_id)
      end`,
  },
];
