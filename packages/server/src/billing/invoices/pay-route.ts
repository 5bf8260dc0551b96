import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { BILLING_ERRORS } from '../errors.ts';
import { CreatedSubscription } from '../subscriptions/schemas.ts';
import { payInvoice } from './pay-invoice.ts';

/** POST /v1/invoices/{invoice_id}/pay. */
export function payRoute(tools: BillingTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/invoices/{invoice_id}/pay',
    operationId: 'payInvoice',
    tag: 'Invoices',
    summary: 'Pay an invoice',
    description:
      'Charges the default payment method while the customer is present to authenticate. Use it to pay a renewal when the bank requires authentication. Returns the subscription, like creating one.',
    access: ACCESS.manageBilling,
    opensTransaction: true,
    params: Type.Object({ invoice_id: Type.String() }),
    status: 200,
    response: CreatedSubscription,
    errors: {
      not_found: HTTP_ERRORS.not_found,
      conflict: HTTP_ERRORS.conflict,
      payment_failed: BILLING_ERRORS.payment_failed,
      validation_failed: HTTP_ERRORS.validation_failed,
    },
    example: {
      data: {
        id: 'sub_01kagt2m8xf3q9wz5r7e6b4c1r',
        status: 'past_due',
        client_secret: 'pi_3Q_secret_9f2c',
        requires_action: true,
      },
    },
    handle: (context, { params }) => payInvoice(tools, context, params.invoice_id),
  });
}
