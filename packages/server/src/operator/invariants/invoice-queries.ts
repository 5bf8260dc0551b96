import type { Invariant } from './invariant.ts';

/** Invariants of each invoice and its payments. */
export const INVOICE_INVARIANTS: readonly Invariant[] = [
  {
    name: 'invoice_once_per_period',
    promise: 'each period is billed in advance exactly once',
    subject: 'invoice',
    fault: `select format('period %s of %s is also billed by %s', s.period_index, s.subscription_id,
        string_agg(i.id, ', ' order by i.id))
      from invoices i
      where s.reason <> 'change' and s.status <> 'void' and i.organization_id = s.organization_id
        and i.subscription_id = s.subscription_id and i.period_index = s.period_index
        and i.reason <> 'change' and i.status <> 'void' and i.id <> s.id
      having count(*) > 0`,
  },
  {
    name: 'invoice_lines',
    promise: 'the lines of an invoice multiply out and sum to its subtotal',
    subject: 'invoice',
    fault: `select case
        when count(*) = 0 then 'it has no lines'
        when bool_or(l.amount is distinct from l.quantity * l.unit_amount)
          then format('%s of its lines do not multiply out',
            count(*) filter (where l.amount is distinct from l.quantity * l.unit_amount))
        when sum(l.amount) <> s.subtotal
          then format('its lines sum to %s, but its subtotal is %s', sum(l.amount), s.subtotal)
      end
      from jsonb_to_recordset(s.lines) as l (quantity numeric, unit_amount numeric, amount numeric)`,
  },
  {
    name: 'invoice_totals',
    promise: 'the subtotal, discount, tax and credit of an invoice add up to the amount due',
    subject: 'invoice',
    fault: `case
        when s.subtotal - s.discount + s.tax - s.credit_applied <> s.amount_due
          then format('%s - %s + %s - %s is not %s', s.subtotal, s.discount, s.tax, s.credit_applied, s.amount_due)
        when least(s.subtotal, s.discount, s.tax, s.credit_applied, s.amount_due) < 0 then 'an amount is negative'
        when s.discount > s.subtotal then format('%s is deducted from %s', s.discount, s.subtotal)
        when (select coalesce(sum(t.amount), 0) from jsonb_to_recordset(s.tax_lines) as t (amount numeric)) <> s.tax
          then format('its tax lines do not sum to its tax, %s', s.tax)
      end`,
  },
  {
    name: 'invoice_paid',
    promise: 'an invoice is paid if and only if its amount was collected exactly once',
    subject: 'invoice',
    fault: `select nullif(concat_ws('; ',
        case when (s.status = 'paid') <> (s.paid_at is not null)
          then format('it is %s, with paid_at %s', s.status, coalesce(s.paid_at::text, 'null')) end,
        case when s.amount_paid <> case when s.status = 'paid' then s.amount_due else 0 end
          then format('it is %s with %s of %s paid', s.status, s.amount_paid, s.amount_due) end,
        case when s.status = 'open' and s.amount_due = 0 then 'nothing is due, but it is open' end,
        case when s.status = 'paid' and s.amount_due > 0 and p.succeeded <> 1
          then format('it is paid, with %s succeeded payments', p.succeeded) end,
        case when (s.status <> 'paid' or s.amount_due = 0) and p.succeeded > 0
          then format('it is %s with %s due, but %s succeeded', s.status, s.amount_due, p.ids) end,
        case when s.status = 'paid' and p.in_flight > 0 then 'it is paid, and a payment of it is in flight' end), '')
      from (
        select count(*) filter (where status = 'succeeded') as succeeded,
          count(*) filter (where settled_at is null) as in_flight,
          string_agg(id, ', ' order by id) filter (where status = 'succeeded') as ids
        from payments where organization_id = s.organization_id and invoice_id = s.id
      ) p`,
  },
  {
    name: 'invoice_number',
    promise: 'the number of an invoice is the code of the organization and its position',
    subject: 'invoice',
    fault: `select case
        when max(a.invoice_code) is null then 'its organization has no account'
        when s.number <> format('%s-%s', max(a.invoice_code),
            lpad(s.sequence::text, greatest(6, length(s.sequence::text)), '0'))
          then format('%s is number %s of %s', s.number, s.sequence, max(a.invoice_code))
        when s.sequence > max(a.last_invoice_number)
          then format('%s comes after the last number, %s', s.number, max(a.last_invoice_number))
      end
      from billing_accounts a where a.organization_id = s.organization_id`,
  },
  {
    name: 'invoice_credit',
    promise: 'the credit on an invoice was taken from the balance, and returned if the invoice was not paid',
    subject: 'invoice',
    fault: `select case when e.used <> case when s.status in ('void', 'uncollectible') then 0 else s.credit_applied end
        then format('it is %s and applied %s of credit, but the balance gave %s', s.status, s.credit_applied, e.used)
      end
      from (
        select coalesce(-sum(amount), 0) as used from billing_credit_entries
        where organization_id = s.organization_id and invoice_id = s.id
      ) e`,
  },
];
