import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { INVOICE_EXAMPLE } from '../invoices/invoice-example.ts';
import { SUBSCRIPTION_EXAMPLE } from '../subscriptions/subscription-example.ts';
import { grantCredit } from './grant-credit.ts';
import { listOperatorInvoices } from './list-operator-invoices.ts';
import { listOperatorSubscriptions } from './list-operator-subscriptions.ts';
import { OPERATOR_INVOICE_LIST } from './operator-invoice-list.ts';
import { OPERATOR_SUBSCRIPTION_LIST } from './operator-subscription-list.ts';
import { Credit, CreditInput, OperatorInvoice, OperatorSubscription } from './schemas.ts';

/** The operations of the vendor's staff and programs on the money of all organizations, at /v1/operator. */
export function operatorRoutes(tools: BillingTools): Route[] {
  return [...listRoutes(tools), creditRoute(tools)];
}

const ORGANIZATION_ID = 'org_01k9m2v5x8e4bt3q6r7s8t9vwx';

function listRoutes({ baseUrl }: BillingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/operator/subscriptions',
      operationId: 'listOperatorSubscriptions',
      tag: 'Operator',
      summary: 'List subscriptions across organizations',
      description: 'Lists the subscriptions of all organizations, including those that have ended.',
      access: ACCESS.staffRead,
      list: OPERATOR_SUBSCRIPTION_LIST,
      status: 200,
      response: OperatorSubscription,
      errors: {},
      example: { data: [{ organization_id: ORGANIZATION_ID, ...SUBSCRIPTION_EXAMPLE }] },
      handle: (context, { page }) => listOperatorSubscriptions(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/operator/invoices',
      operationId: 'listOperatorInvoices',
      tag: 'Operator',
      summary: 'List invoices across organizations',
      description: 'Lists the invoices of all organizations. Filter by `number` to find a specific invoice.',
      access: ACCESS.staffRead,
      list: OPERATOR_INVOICE_LIST,
      status: 200,
      response: OperatorInvoice,
      errors: {},
      example: { data: [{ organization_id: ORGANIZATION_ID, buyer_name: 'Acme Ltd', ...INVOICE_EXAMPLE }] },
      handle: (context, { page }) => listOperatorInvoices(context, page, baseUrl),
    }),
  ];
}

function creditRoute(tools: BillingTools): Route {
  const body = {
    organization_id: ORGANIZATION_ID,
    amount: 5_000,
    currency: 'usd',
    reason: 'Compensation for the outage on 20 January',
  };
  return defineRoute({
    method: 'POST',
    path: '/v1/operator/credits',
    operationId: 'createOperatorCredit',
    tag: 'Operator',
    summary: 'Grant credit',
    description:
      "Adds to an organization's credit balance. It is applied to the next invoices in that currency before anything is charged. Sends the event `credit.granted`. Send an `Idempotency-Key` so that a retry does not grant the credit twice.",
    access: ACCESS.staffFinance,
    body: CreditInput,
    status: 201,
    response: Credit,
    errors: { not_found: HTTP_ERRORS.not_found, validation_failed: HTTP_ERRORS.validation_failed },
    example: {
      body,
      data: {
        id: 'cred_01kagt2m8xf3q9wz5r7e6b4c1w',
        ...body,
        credit_balance: 5_000,
        created_at: '2026-02-01T08:15:00.000Z',
      },
    },
    handle: (context, { body }) => grantCredit(context, tools, body),
  });
}
