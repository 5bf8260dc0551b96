import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { BILLING_ERRORS } from '../errors.ts';
import { Invoice } from '../schemas.ts';
import { CreatedSubscription } from '../subscriptions/schemas.ts';
import { getInvoice } from './get-invoice.ts';
import { getInvoicePdf } from './get-invoice-pdf.ts';
import { INVOICE_EXAMPLE } from './invoice-example.ts';
import type { InvoiceFileTools } from './invoice-file.ts';
import { INVOICE_LIST } from './invoice-list.ts';
import { listInvoices } from './list-invoices.ts';
import { payInvoice } from './pay-invoice.ts';

/** The endpoints at /v1/invoices. */
export function invoiceRoutes(tools: BillingTools, fileTools: InvoiceFileTools): Route[] {
  return [listRoute(tools), getRoute(tools), pdfRoute(fileTools), payRoute(tools)];
}

const SHARED = { method: 'GET', tag: 'Invoices', access: ACCESS.readBilling, status: 200 } as const;

const Params = Type.Object({ invoice_id: Type.String() });

function listRoute({ baseUrl }: BillingTools): Route {
  return defineRoute({
    ...SHARED,
    path: '/v1/invoices',
    operationId: 'listInvoices',
    summary: 'List invoices',
    description: 'Sort by `number` for the order in which they were issued.',
    list: INVOICE_LIST,
    response: Invoice,
    errors: {},
    example: { data: [INVOICE_EXAMPLE] },
    handle: (context, { page }) => listInvoices(context, page, baseUrl),
  });
}

function getRoute({ baseUrl }: BillingTools): Route {
  return defineRoute({
    ...SHARED,
    path: '/v1/invoices/{invoice_id}',
    operationId: 'getInvoice',
    summary: 'Get an invoice',
    description: 'Returns an invoice with its lines. Its amounts never change.',
    params: Params,
    response: Invoice,
    errors: { not_found: HTTP_ERRORS.not_found },
    example: { data: INVOICE_EXAMPLE },
    handle: async (context, { params }) => ({ data: await getInvoice(context, params.invoice_id, baseUrl) }),
  });
}

function pdfRoute(tools: InvoiceFileTools): Route {
  return defineRoute({
    ...SHARED,
    path: '/v1/invoices/{invoice_id}/pdf',
    operationId: 'getInvoicePdf',
    summary: 'Download an invoice PDF',
    description:
      'Returns the file without an envelope. Once the invoice is paid, void, or uncollectible, the PDF never changes, and its ETag is the SHA-256 hash of the file. The PDF of an open invoice is marked as open and is not stored. If If-None-Match contains the ETag, the response is 304 without a body.',
    params: Params,
    raw: 'application/pdf',
    alsoStatus: 304,
    response: Type.String({ description: 'The PDF file.', published: { format: 'binary' } }),
    errors: { not_found: HTTP_ERRORS.not_found, service_unavailable: HTTP_ERRORS.service_unavailable },
    example: { data: '%PDF-1.7 and so on, in bytes' },
    handle: (context, { params }) => getInvoicePdf(context, tools, params.invoice_id),
  });
}

function payRoute(tools: BillingTools): Route {
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
    hasOwnBound: true,
    params: Params,
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
    handle: (context, { params }) => payInvoice(context, tools, params.invoice_id),
  });
}
