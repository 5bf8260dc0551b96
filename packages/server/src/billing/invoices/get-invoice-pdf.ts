import { type Answer, type AuthorizedContext, httpError } from '../../http/index.ts';
import { requireInvoice } from './get-invoice.ts';
import { fileNameOf, type InvoiceFileTools, loadInvoiceFile } from './invoice-file.ts';
import { FontsMissing } from './pdf/fonts.ts';
import { RendererBusy } from './pdf/pdf-renderer.ts';

/**
 * The PDF of an invoice. A closed invoice is rendered once and stored, so its bytes never change; an open one is
 * rendered each time, because it may be paid at any moment. Answers 304 if the client already has it. Throws not_found,
 * and service_unavailable if too many are waiting to be rendered or if required fonts are not installed.
 */
export async function getInvoicePdf(
  context: AuthorizedContext,
  tools: InvoiceFileTools,
  id: string,
): Promise<Answer<Buffer | undefined>> {
  const invoice = await requireInvoice(context, id);
  const pdf = await loadInvoiceFile(context.database, tools, invoice).catch((error: unknown) => {
    if (error instanceof RendererBusy) {
      throw tooManyWait();
    }
    throw error instanceof FontsMissing ? fontsMissing(error) : error;
  });
  const etag = `"${pdf.sha256.toString('hex')}"`;
  if (isNamed(context.headers['if-none-match'], etag)) {
    return { status: 304, data: undefined, headers: { etag } };
  }
  const disposition = `attachment; filename="${fileNameOf(invoice)}"`;
  return { data: pdf.content, headers: { 'content-disposition': disposition, etag } };
}

/** Whether the header says that the client already has it (RFC 9110 §13.1.2). */
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

/**
 * Rendered without them, it would be stored permanently with code points instead of a name. The log tells the operator
 * what to install.
 */
function fontsMissing(cause: FontsMissing) {
  return httpError('service_unavailable', 'The fonts for this invoice are not installed on the server.', {
    headers: { 'retry-after': '3600' },
    cause,
  });
}
