import { type Answer, type AuthorizedContext, httpError } from '../../http/index.ts';
import { fileNameOf, type InvoiceDrawing, readInvoiceFile } from './invoice-file.ts';
import { RendererBusy } from './pdf/pdf-renderer.ts';
import { getInvoice } from './read-invoices.ts';

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
  const { database, principal } = context;
  const invoice = await getInvoice({ database, principal }, id);
  const pdf = await readInvoiceFile(database, drawing, invoice).catch((error: unknown) => {
    throw error instanceof RendererBusy ? tooManyWait() : error;
  });
  const etag = `"${pdf.sha256.toString('hex')}"`;
  if (isNamed(context.headers['if-none-match'], etag)) {
    return { status: 304, data: undefined, headers: { etag } };
  }
  const disposition = `attachment; filename="${fileNameOf(invoice)}"`;
  return { data: pdf.content, headers: { 'content-disposition': disposition, etag } };
}

/** Whether the header says that the client has it already (RFC 9110 §13.1.2). */
function isNamed(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  return [ifNoneMatch ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag);
}

function tooManyWait() {
  return httpError('service_unavailable', 'Too many invoices are being generated. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });
}
