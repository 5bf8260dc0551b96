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
 * after; an open one is drawn each time, since it may be paid the moment after. Throws `not_found` for another
 * organization's, `service_unavailable` while too many wait to be drawn.
 */
export async function readInvoicePdf(
  { database, principal }: AuthorizedContext,
  id: string,
  drawing: InvoiceDrawing,
): Promise<Answer<Buffer>> {
  const { organizationId } = principal;
  const invoice = await getInvoice({ database, principal }, id);
  if (invoice.status === 'open') {
    return answerOf(invoice, await draw(drawing, organizationId, invoice));
  }
  const kept = await findInvoicePdf(database, organizationId, id);
  if (kept !== undefined) {
    return answerOf(invoice, kept);
  }
  await insertInvoicePdf(database, organizationId, id, await draw(drawing, organizationId, invoice));
  // Another request may have drawn it meanwhile, with another seller: what is kept is what everybody gets.
  const first = await findInvoicePdf(database, organizationId, id);
  if (first === undefined) {
    throw httpError('internal_error', 'the PDF of an invoice was not kept');
  }
  return answerOf(invoice, first);
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

function answerOf({ number }: InvoiceRow, { content, sha256 }: InvoicePdfRow): Answer<Buffer> {
  return {
    data: content,
    headers: {
      'content-disposition': `attachment; filename="${number.replace(/[^A-Za-z0-9-]/g, '')}.pdf"`,
      etag: `"${sha256.toString('hex')}"`,
    },
  };
}
