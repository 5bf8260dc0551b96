import { createHash } from 'node:crypto';
import { type Answer, type AuthorizedContext, httpError } from '../../http/index.ts';
import type { Seller } from '../billing-tools.ts';
import { makeInvoiceDocument } from './make-invoice-document.ts';
import { type PdfRenderer, RendererBusy } from './pdf/pdf-renderer.ts';
import { findInvoicePdf, type InvoicePdfRow, insertInvoicePdf } from './pdf-queries.ts';
import { getInvoice } from './read-invoices.ts';
import type { InvoiceRow } from './read-queries.ts';

/** What drawing invoices takes. */
export interface InvoiceDrawing {
  renderer: PdfRenderer;
  seller: Seller;
}

/**
 * The PDF of an invoice. One that will not change any more is drawn once and kept, and answered with the same bytes ever
 * after; an open one is drawn each time, since it may be paid the moment after. One that the client has already is
 * answered with 304. Throws `not_found` for another organization's, `service_unavailable` while too many wait to be drawn.
 */
export async function readInvoicePdf(
  context: AuthorizedContext,
  id: string,
  drawing: InvoiceDrawing,
): Promise<Answer<Buffer | undefined>> {
  const { number, ...pdf } = await findOrDraw(context, id, drawing);
  const etag = `"${pdf.sha256.toString('hex')}"`;
  if (isNamed(context.headers['if-none-match'], etag)) {
    return { status: 304, data: undefined, headers: { etag } };
  }
  const filename = `${number.replace(/[^A-Za-z0-9-]/g, '')}.pdf`;
  return { data: pdf.content, headers: { 'content-disposition': `attachment; filename="${filename}"`, etag } };
}

/** Whether the header says that the client has it already (RFC 9110 §13.1.2). */
function isNamed(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  return [ifNoneMatch ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag);
}

async function findOrDraw(
  { database, principal }: AuthorizedContext,
  id: string,
  drawing: InvoiceDrawing,
): Promise<InvoicePdfRow & { number: string }> {
  const { organizationId } = principal;
  const invoice = await getInvoice({ database, principal }, id);
  const { number } = invoice;
  if (invoice.status === 'open') {
    return { number, ...(await draw(drawing, organizationId, invoice)) };
  }
  const kept = await findInvoicePdf(database, organizationId, id);
  if (kept !== undefined) {
    return { number, ...kept };
  }
  await insertInvoicePdf(database, organizationId, id, await draw(drawing, organizationId, invoice));
  // Another request may have drawn it meanwhile, with another seller: what is kept is what everybody gets.
  const first = await findInvoicePdf(database, organizationId, id);
  if (first === undefined) {
    throw httpError('internal_error', 'the PDF of an invoice was not kept');
  }
  return { number, ...first };
}

async function draw(
  { renderer, seller }: InvoiceDrawing,
  organizationId: string,
  row: InvoiceRow,
): Promise<InvoicePdfRow> {
  const content = await renderer.render(organizationId, makeInvoiceDocument(row, seller)).catch((error: unknown) => {
    throw error instanceof RendererBusy
      ? httpError('service_unavailable', 'Too many invoices are being rendered: try again in a moment.', {
          headers: { 'retry-after': '2' },
        })
      : error;
  });
  return { content, sha256: createHash('sha256').update(content).digest() };
}
