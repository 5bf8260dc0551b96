import { ACTIVE, COUPON, ENDED, ORG } from './plant-commerce.ts';

/** The name of an invariant, the object that its finding names, and the statements that break it. */
type Breakage = readonly [promise: string, id: string, statements: string];

/** Each breaks an invariant of invoices, payments, credit or events. */
export const MONEY_BREAKAGES: readonly Breakage[] = [
  [
    'each period is billed in advance exactly once',
    'inv_open',
    `update invoices set reason = 'renewal', period_index = 1, status = 'open' where id = 'inv_void'`,
  ],
  [
    'the lines of an invoice multiply out and sum to its subtotal',
    'inv_active',
    `update invoices set lines = jsonb_set(lines, '{0,quantity}', '4') where id = 'inv_active'`,
  ],
  [
    'the lines of an invoice multiply out and sum to its subtotal',
    'inv_active',
    `update invoices set lines = lines || '{"quantity": 1, "unit_amount": -100, "amount": -100}' where id = 'inv_active'`,
  ],
  [
    'the lines of an invoice multiply out and sum to its subtotal',
    'inv_active',
    `update invoices set lines = '[]' where id = 'inv_active'`,
  ],
  [
    'the subtotal, discount, tax and credit of an invoice add up to the amount due',
    'inv_active',
    `update invoices set discount = 1449 where id = 'inv_active'`,
  ],
  [
    'the subtotal, discount, tax and credit of an invoice add up to the amount due',
    'inv_active',
    `update invoices set tax_lines = '[{"amount": 1}]' where id = 'inv_active'`,
  ],
  [
    'the subtotal, discount, tax and credit of an invoice add up to the amount due',
    'inv_open',
    `update invoices set subtotal = 0, discount = 1, amount_due = -1 where id = 'inv_open'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_active',
    `update payments set status = 'declined' where id = 'pay_active'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_active',
    `update payments set invoice_id = 'inv_active' where id = 'pay_ended'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_open',
    `update payments set status = 'succeeded' where id = 'pay_declined'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_active',
    `update payments set invoice_id = 'inv_active' where id = 'pay_new'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_active',
    `update invoices set amount_paid = 1 where id = 'inv_active'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_active',
    `update invoices set paid_at = null where id = 'inv_active'`,
  ],
  [
    'an invoice is paid if and only if its amount was collected exactly once',
    'inv_open',
    `update invoices set subtotal = 0, amount_due = 0, lines = '[]' where id = 'inv_open'`,
  ],
  [
    'the number of an invoice is the code of the organization and its position',
    'inv_open',
    `update invoices set number = 'ACME-4' where id = 'inv_open'`,
  ],
  [
    'the number of an invoice is the code of the organization and its position',
    'inv_open',
    `update billing_accounts set last_invoice_number = 3`,
  ],
  [
    'the credit on an invoice was taken from the balance, and returned if the invoice was not paid',
    'inv_active',
    `delete from billing_credit_entries where id = 'cr_2'`,
  ],
  [
    'the credit on an invoice was taken from the balance, and returned if the invoice was not paid',
    'inv_void',
    `delete from billing_credit_entries where id = 'cr_4'`,
  ],
  [
    'collected money has paid an invoice or became credit',
    'pay_active',
    `update payments set amount = 1 where id = 'pay_active'`,
  ],
  [
    'collected money has paid an invoice or became credit',
    'pay_active',
    `update payments set invoice_id = 'inv_gone' where id = 'pay_active'`,
  ],
  [
    'collected money has paid an invoice or became credit',
    'pay_active',
    `update payments set subscription_id = '${ENDED}' where id = 'pay_active'`,
  ],
  [
    'collected money has paid an invoice or became credit',
    'pay_active',
    `update invoices set status = 'void' where id = 'inv_active'`,
  ],
  [
    'collected money has paid an invoice or became credit',
    'pay_late',
    `delete from billing_credit_entries where id = 'cr_6'`,
  ],
  [
    'an orphaned payment is not booked, and an adopted payment is',
    'pay_orphan',
    `update payments set provider = 'stripe', provider_ref = 'pi_orphan' where id = 'pay_active'`,
  ],
  [
    'an orphaned payment is not booked, and an adopted payment is',
    'pay_orphan',
    `update orphaned_payments set status = 'adopted'`,
  ],
  [
    'a payment without an outcome is looked up, and a settled one is not',
    'pay_new',
    `update payments set next_check_at = null where id = 'pay_new'`,
  ],
  [
    'a payment without an outcome is looked up, and a settled one is not',
    'pay_new',
    `update payments set next_check_at = clock_timestamp() - interval '2 hours' where id = 'pay_new'`,
  ],
  [
    'a payment without an outcome is looked up, and a settled one is not',
    'pay_active',
    `update payments set settled_at = null where id = 'pay_active'`,
  ],
  [
    'used credit belongs to an invoice, or is reserved for one that waits for its payment',
    'cr_5',
    `delete from payments where id = 'pay_new'`,
  ],
  ['the invoice numbers of an organization have no gap', ORG, `delete from invoices where id = 'inv_ended'`],
  ['the invoice numbers of an organization have no gap', ORG, `update billing_accounts set last_invoice_number = 5`],
  ['the credit of an organization is the sum of its entries', ORG, `update billing_credits set balance = balance + 1`],
  ['the credit of an organization is the sum of its entries', ORG, `delete from billing_credits`],
  [
    "an organization's paid invoices equal the payments collected for them",
    ORG,
    `update payments set amount = amount + 1 where id = 'pay_active'`,
  ],
  ['an organization with payment methods has one default', ORG, `update payment_methods set is_default = false`],
  [
    'each late payment became credit of the same amount',
    ORG,
    "update billing_credit_entries set amount = 499 where id = 'cr_6'",
  ],
  [
    'an organization with payment methods has one default',
    ORG,
    `update payment_methods set is_default = true, removed_at = null`,
  ],
  [
    'the rate-limit tier of an organization is that of its best live plan or, without one, of its best license',
    ORG,
    `update organizations set tier = 'enterprise' where id = '${ORG}'`,
  ],
  [
    'the redemptions of a coupon are the subscriptions that have it or are being paid for',
    COUPON,
    `update coupons set redemptions = 3`,
  ],
  [
    'the start and the end of each subscription have their events',
    ACTIVE,
    `delete from events where type = 'subscription.created' and object ->> 'subscription_id' = '${ACTIVE}'`,
  ],
  [
    'the start and the end of each subscription have their events',
    ENDED,
    `delete from events where type = 'subscription.canceled'`,
  ],
  [
    'the start and the end of each subscription have their events',
    ENDED,
    `update subscriptions set status = 'expired' where id = '${ENDED}'`,
  ],
  ['each invoice and its payment have their events', 'inv_open', `delete from events where type = 'invoice.created'`],
  ['each invoice and its payment have their events', 'inv_active', `delete from events where type = 'invoice.paid'`],
  [
    'each payment method that was attached or removed has its events',
    'pm_default',
    `delete from events where type = 'payment_method.attached'`,
  ],
  [
    'each payment method that was attached or removed has its events',
    'pm_removed',
    `delete from events where type = 'payment_method.removed'`,
  ],
];
