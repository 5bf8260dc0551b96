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
    summary: 'Pay an open invoice now',
    description:
      'With the default payment method, and with the customer there to authenticate: so a renewal is paid whose bank asked for that. Answers its subscription, as creating one does.',
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
