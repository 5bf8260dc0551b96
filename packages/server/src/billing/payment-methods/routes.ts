import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { Nudge } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { BILLING_ERRORS } from '../errors.ts';
import { PaymentMethod } from '../schemas.ts';
import { attachPaymentMethod } from './attach-payment-method.ts';
import { deletePaymentMethod } from './delete-payment-method.ts';
import { listPaymentMethods } from './list-payment-methods.ts';
import { PAYMENT_METHOD_LIST } from './payment-method-list.ts';
import { PaymentMethodInput } from './schemas.ts';

/** The endpoints at /v1/payment-methods. `removed` wakes the job that detaches removed ones. */
export function paymentMethodRoutes(tools: BillingTools, removed: Nudge): Route[] {
  return [LIST, attachRoute(tools), deleteRoute(tools, removed)];
}

const TAG = 'Payment methods';
const { not_found, conflict, validation_failed, service_unavailable } = HTTP_ERRORS;

const EXAMPLE = {
  id: 'pm_01k9m2v5x8e4bt3q6r7s8t9vwx',
  type: 'card',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
  is_default: true,
  created_at: '2026-11-02T09:30:00.000Z',
};

const LIST = defineRoute({
  method: 'GET',
  path: '/v1/payment-methods',
  operationId: 'listPaymentMethods',
  tag: TAG,
  summary: 'List payment methods',
  description: 'Lists the attached payment methods. Full card numbers are never stored or returned.',
  access: ACCESS.readBilling,
  list: PAYMENT_METHOD_LIST,
  status: 200,
  response: PaymentMethod,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: (context, { page }) => listPaymentMethods(context, page),
});

function attachRoute(tools: BillingTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/payment-methods',
    operationId: 'attachPaymentMethod',
    tag: TAG,
    summary: 'Attach a payment method',
    description:
      'Takes the ID that the payment provider created for the card in the browser, so card numbers never reach this service. The first payment method becomes the default. If you set a new default, past-due invoices are charged to it immediately. A payment method that is already attached is returned unchanged.',
    access: ACCESS.manageBilling,
    opensTransaction: true,
    hasOwnBound: true,
    body: PaymentMethodInput,
    status: 201,
    response: PaymentMethod,
    errors: { conflict, validation_failed, payment_failed: BILLING_ERRORS.payment_failed, service_unavailable },
    example: { body: { payment_method_id: 'pm_card_visa', set_default: true }, data: EXAMPLE },
    handle: (context, { body }) => attachPaymentMethod(context, tools, body),
  });
}

function deleteRoute(tools: BillingTools, removed: Nudge): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v1/payment-methods/{payment_method_id}',
    operationId: 'deletePaymentMethod',
    tag: TAG,
    summary: 'Delete a payment method',
    description:
      'If it was the default, the newest remaining payment method becomes the default. You cannot delete the only payment method while a subscription is live, or one with a payment in progress. A deleted payment method cannot be attached again.',
    access: ACCESS.manageBilling,
    params: Type.Object({ payment_method_id: Type.String() }),
    status: 204,
    errors: { not_found, conflict, payment_method_in_use: BILLING_ERRORS.payment_method_in_use },
    handle: async (context, { params }) => ({
      data: await deletePaymentMethod(context, tools, removed, params.payment_method_id),
    }),
  });
}
