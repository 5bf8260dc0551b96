import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { CardTools } from './card-tools.ts';
import { confirmPayment } from './confirm-payment.ts';
import { createPaymentMethod } from './create-payment-method.ts';
import { CardInput, ConfirmationInput, ConfirmedPayment, MadePaymentMethod } from './schemas.ts';

/** The endpoints that stand in for the browser: a card form, and the page for authenticating a payment. */
export function cardRoutes(tools: CardTools): Route[] {
  return [makeRoute(tools), confirmRoute(tools)];
}

const TAG = 'Sandbox';
const { not_found, conflict, validation_failed } = HTTP_ERRORS;

function makeRoute(tools: CardTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/sandbox/payment-methods',
    operationId: 'makeSandboxPaymentMethod',
    tag: TAG,
    summary: 'Create a test payment method',
    description:
      'Returns an ID to use as `payment_method_id`. Only test card numbers are accepted, and no number is stored. Available only in the sandbox; production returns not_found.',
    access: ACCESS.manageSandboxCards,
    opensTransaction: true,
    body: CardInput,
    status: 201,
    response: MadePaymentMethod,
    errors: { not_found, validation_failed },
    example: {
      body: { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 2030, cvc: '123' },
      data: {
        id: 'pm_test_3f9c1e7a5b2d4860a1c3e5f7092b4d6e',
        type: 'card',
        card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
      },
    },
    handle: (context, { body }) => createPaymentMethod(context, tools, body),
  });
}

function confirmRoute(tools: CardTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/sandbox/payments/confirm',
    operationId: 'confirmSandboxPayment',
    tag: TAG,
    summary: 'Confirm a test payment',
    description:
      'Acts as the customer who authenticates a payment. Takes the `client_secret` of a payment that requires action. When the request returns, the outcome has taken effect, for example the subscription is active. Available only in the sandbox; production returns not_found.',
    access: ACCESS.manageSandboxCards,
    opensTransaction: true,
    body: ConfirmationInput,
    status: 200,
    response: ConfirmedPayment,
    errors: { not_found, conflict },
    example: {
      body: { client_secret: `pi_test_pay_01k9m2v5x8e4bt3q6r7s8t9vwx_secret_${'3f9c1'.repeat(8)}`, outcome: 'succeed' },
      data: { status: 'succeeded', decline_code: null },
    },
    handle: (context, { body }) => confirmPayment(context, tools, body),
  });
}
