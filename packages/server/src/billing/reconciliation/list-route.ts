import { ACCESS, defineRoute } from '../../http/index.ts';
import { listPayments } from './list-payments.ts';
import { PAYMENT_LIST } from './payment-list.ts';
import { ListedPayment } from './schemas.ts';

const EXAMPLE: ListedPayment = {
  id: 'pay_01kagt2m8xf3q9wz5r7e6b4c1t',
  organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
  subscription_id: 'sub_01kagt2m8xf3q9wz5r7e6b4c1r',
  invoice_id: null,
  purpose: 'create',
  period_index: 0,
  attempt: 1,
  amount: 14_500,
  currency: 'usd',
  status: 'orphaned',
  payment_method_id: null,
  decline_code: null,
  orphaned_because: 'unknown_subscription',
  provider: 'stripe',
  provider_ref: 'pi_3Q9k2eJ7v1mXw0aB',
  created_at: '2026-11-21T12:00:00.000Z',
  settled_at: null,
};

/** GET /v1/operator/payments. */
export const LIST_PAYMENTS = defineRoute({
  method: 'GET',
  path: '/v1/operator/payments',
  operationId: 'listOperatorPayments',
  tag: 'Operator',
  summary: 'List payments across organizations',
  description:
    "Lists the attempts to collect money, newest first. With `status=orphaned`, lists payments that the provider collected but that match no record, for example after a backup was restored. They stay in the list until they are resolved. Filter by `provider_ref` to find a payment by the provider's ID.",
  access: ACCESS.staffRead,
  list: PAYMENT_LIST,
  status: 200,
  response: ListedPayment,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: (context, { page }) => listPayments(context, page),
});
