import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, type Route } from '../../http/index.ts';
import type { Nudge } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { BILLING_ERRORS } from '../errors.ts';
import { attachPaymentMethod } from './attach-payment-method.ts';
import { deletePaymentMethod } from './delete-payment-method.ts';
import { listPaymentMethods } from './list-payment-methods.ts';
import { PaymentMethod, PaymentMethodInput } from './schemas.ts';

/** The endpoints at /v1/payment-methods. `removed` wakes the job that unties removed ones. */
export function paymentMethodRoutes(tools: BillingTools, removed: Nudge): Route[] {
  return [LIST, attachRoute(tools), deleteRoute(tools, removed)];
}

const TAG = 'Payment methods';
const { not_found, conflict, validation_failed, service_unavailable } = HTTP_ERRORS;

const METHOD_LIST: ListDefinition = {
  defaultSort: '-created_at',
  sorts: { created_at: 'time' },
  filters: { type: { kind: 'enum', values: ['card'] }, is_default: { kind: 'boolean' } },
};

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
  description: 'Those that are attached; never a whole card number, which this service does not know.',
  access: ACCESS.readBilling,
  list: METHOD_LIST,
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
      'Takes what the payment provider made of the card in the browser; a card number never comes here. The first is the default. A new default is tried at once with what is past due. One that is attached already is answered as it is.',
    access: ACCESS.manageBilling,
    opensTransaction: true,
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
      'When it was the default, the newest other is from now on. The only one cannot be deleted while a subscription is live, and none while a payment by it has no outcome yet. It cannot be attached again.',
    access: ACCESS.manageBilling,
    params: Type.Object({ payment_method_id: Type.String() }),
    status: 204,
    errors: { not_found, conflict, payment_method_in_use: BILLING_ERRORS.payment_method_in_use },
    handle: async (context, { params }) => ({
      data: await deletePaymentMethod(context, tools, removed, params.payment_method_id),
    }),
  });
}
