import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { Invoice } from '../schemas.ts';
import type { InvoiceDrawing } from './invoice-file.ts';
import { INVOICE_LIST } from './invoice-list.ts';
import { readInvoicePdf } from './read-invoice-pdf.ts';
import { readInvoice, readInvoices } from './read-invoices.ts';

/** The endpoints at /v1/invoices that only read. */
export function invoiceRoutes({ baseUrl }: BillingTools, drawing: InvoiceDrawing): Route[] {
  return [listRoute(baseUrl), readRoute(baseUrl), pdfRoute(drawing)];
}

const SHARED = { method: 'GET', tag: 'Invoices', access: ACCESS.readBilling, status: 200 } as const;

const Params = Type.Object({ invoice_id: Type.String() });

const INVOICE_ID = 'inv_01kagt2m8xf3q9wz5r7e6b4c1s';
const EXAMPLE: Invoice = {
  id: INVOICE_ID,
  number: 'ACME-000001',
  status: 'paid',
  subscription_id: 'sub_01kagt2m8xf3q9wz5r7e6b4c1r',
  period_start: '2026-01-31T12:00:00.000Z',
  period_end: '2026-02-28T12:00:00.000Z',
  subtotal: 14_500,
  discount: 0,
  coupon_code: null,
  tax: 0,
  tax_lines: [],
  total: 14_500,
  credit_applied: 0,
  amount_due: 14_500,
  amount_paid: 14_500,
  currency: 'usd',
  created_at: '2026-01-31T12:00:00.000Z',
  paid_at: '2026-01-31T12:00:02.000Z',
  closed_at: '2026-01-31T12:00:02.000Z',
  pdf_url: `https://localhost:8443/v1/invoices/${INVOICE_ID}/pdf`,
  lines: [{ description: 'Pro, 5 seats (Jan 31 – Feb 28, 2026)', quantity: 5, unit_amount: 2_900, amount: 14_500 }],
};

function listRoute(baseUrl: string): Route {
  return defineRoute({
    ...SHARED,
    path: '/v1/invoices',
    operationId: 'listInvoices',
    summary: 'List invoices',
    description: 'Sort by `number` for the order in which they were issued.',
    list: INVOICE_LIST,
    response: Invoice,
    errors: {},
    example: { data: [EXAMPLE] },
    handle: (context, { page }) => readInvoices(context, page, baseUrl),
  });
}

function readRoute(baseUrl: string): Route {
  return defineRoute({
    ...SHARED,
    path: '/v1/invoices/{invoice_id}',
    operationId: 'getInvoice',
    summary: 'Get an invoice',
    params: Params,
    response: Invoice,
    errors: { not_found: HTTP_ERRORS.not_found },
    example: { data: EXAMPLE },
    handle: async (context, { params }) => ({ data: await readInvoice(context, params.invoice_id, baseUrl) }),
  });
}

function pdfRoute(drawing: InvoiceDrawing): Route {
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
    response: Type.String({ description: 'The PDF file.' }),
    errors: { not_found: HTTP_ERRORS.not_found, service_unavailable: HTTP_ERRORS.service_unavailable },
    example: { data: '%PDF-1.7 and so on, in bytes' },
    handle: (context, { params }) => readInvoicePdf(context, params.invoice_id, drawing),
  });
}
