import type { Invariant } from './invariant.ts';

const TIERS = `array['free', 'pro', 'enterprise']`;

/** The differences of two sums by currency, in this format: the currency, the one, the other. */
function differences(one: string, other: string, format: string): string {
  return `select string_agg(format('${format}', coalesce(a.currency, b.currency), coalesce(a.sum, 0), coalesce(b.sum, 0)),
      '; ')
    from (${one}) a full join (${other}) b on b.currency = a.currency
    where coalesce(a.sum, 0) <> coalesce(b.sum, 0)`;
}

/** Invariants of an organization's totals, and of coupons. */
export const ACCOUNT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'invoice_numbers',
    promise: 'the invoice numbers of an organization have no gap',
    subject: 'account',
    fault: `select case when n.count <> s.last_invoice_number - s.first_kept_invoice_number + 1
          or (n.last <> s.last_invoice_number and n.count > 0)
        then format('it has %s invoices up to number %s, and %s numbers were given%s', n.count, n.last,
          s.last_invoice_number, (
            select format('; the first missing one is %s', min(m)) from (
              select s.first_kept_invoice_number as m where not exists (
                select from invoices where organization_id = s.organization_id
                  and sequence = s.first_kept_invoice_number)
              union all
              (select i.sequence + 1 from invoices i
                where i.organization_id = s.organization_id and not exists (
                  select from invoices f where f.organization_id = i.organization_id and f.sequence = i.sequence + 1)
                order by i.sequence limit 1)
            ) missing having min(m) <= greatest(n.last, s.last_invoice_number)))
      end
      from (
        select count(*) as count, coalesce(max(sequence), 0) as last
        from invoices where organization_id = s.organization_id
      ) n`,
  },
  {
    name: 'credit_balance',
    promise: 'the credit of an organization is the sum of its entries',
    subject: 'account',
    fault: differences(
      'select currency, balance as sum from billing_credits where organization_id = s.organization_id',
      `select currency, sum(amount) as sum from billing_credit_entries
        where organization_id = s.organization_id group by currency`,
      '%s: the balance is %s, its entries sum to %s',
    ),
  },
  {
    name: 'ledger_equals_payments',
    promise: "an organization's paid invoices equal the payments collected for them",
    subject: 'account',
    fault: differences(
      `select currency, sum(amount_paid) as sum from invoices
        where organization_id = s.organization_id and status = 'paid' group by currency`,
      `select currency, sum(amount) as sum from payments
        where organization_id = s.organization_id and status = 'succeeded' and invoice_id is not null group by currency`,
      '%s: %s are paid, %s were collected',
    ),
  },
  {
    name: 'late_money_is_credit',
    promise: 'each late payment became credit of the same amount',
    subject: 'account',
    fault: differences(
      `select currency, sum(amount) as sum from payments
        where organization_id = s.organization_id and status = 'succeeded' and invoice_id is null group by currency`,
      `select currency, sum(amount) as sum from billing_credit_entries
        where organization_id = s.organization_id and reason in ('late_payment', 'returned') and invoice_id is null group by currency`,
      '%s: %s came late, %s became credit',
    ),
  },
  {
    name: 'default_method',
    promise: 'an organization with payment methods has one default',
    subject: 'account',
    fault: `select case when count(*) > 0 and count(*) filter (where is_default) <> 1
        then format('%s of its payment methods are the default: %s', count(*) filter (where is_default),
          (array_agg(id order by is_default desc, id))[1:10]::text) end
      from payment_methods where organization_id = s.organization_id and removed_at is null`,
  },
  {
    name: 'organization_tier',
    promise:
      'the rate-limit tier of an organization is that of its best live plan or, without one, of its best license',
    subject: 'account',
    fault: `select case when o.deleted_at is null and o.tier <> coalesce(best.tier, issued.tier, 'free')
        then format('its tier is %s, but its best live plan has %s and its best license %s', o.tier,
          coalesce(best.tier, 'none'), coalesce(issued.tier, 'none')) end
      from (
        select (${TIERS})[max(array_position(${TIERS}, p.tier))] as tier
        from subscriptions b join plans p on p.id = b.plan_id
        where b.organization_id = s.organization_id and b.next_action_at is not null
          and b.status in ('active', 'past_due')
      ) best, (
        select (${TIERS})[max(array_position(${TIERS}, l.tier))] as tier
        from licenses l where l.organization_id = s.organization_id and l.tier is not null and l.state <> 'revoked'
      ) issued`,
  },
  {
    name: 'coupon_redemptions',
    promise: 'the redemptions of a coupon are the subscriptions that have it or are being paid for',
    subject: 'coupon',
    // A subscription that was never paid for releases its redemption; one that ended later does not.
    fault: `select case when s.redemptions <> u.subscribed + u.reserved
        then format('%s redemptions are counted, %s subscriptions have it and %s are being paid for', s.redemptions,
          u.subscribed, u.reserved) end
      from (
        select (
          select count(*) from subscriptions
          where coupon_id = s.id and not (ended_at is not null and license_id is null)
        ) as subscribed, (
          select count(*) from payments p
          where p.settled_at is null and p.intent ->> 'couponId' = s.id and p.invoice_id is null
        ) as reserved
      ) u`,
  },
];
