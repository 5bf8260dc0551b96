import { createHash } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import type { Seller } from '../billing-tools.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';
import { createInvoiceDocument } from './create-invoice-document.ts';
import type { PdfRenderer } from './pdf/pdf-renderer.ts';
import { findInvoicePdf, type InvoicePdfRow, insertInvoicePdf } from './pdf-queries.ts';

/** The dependencies of rendering invoices. */
export interface InvoiceFileTools {
  renderer: PdfRenderer;
  seller: Seller;
  /** A watermark across every page, such as TEST in the sandbox; empty for none. */
  watermark: string;
}

/**
 * The PDF of an invoice. A closed invoice is rendered once and stored, so that the API and the receipt have the same
 * bytes; an open one is rendered each time. Throws RendererBusy if too many are waiting to be rendered.
 */
export async function loadInvoiceFile(
  database: Queries,
  tools: InvoiceFileTools,
  invoice: InvoiceRow,
): Promise<InvoicePdfRow> {
  const { organization_id: organizationId, id } = invoice;
  if (invoice.status === 'open') {
    return render(tools, invoice);
  }
  const stored = await findInvoicePdf(database, { organizationId, invoiceId: id });
  if (stored !== undefined) {
    return stored;
  }
  await insertInvoicePdf(database, { organizationId, invoiceId: id, ...(await render(tools, invoice)) });
  // Another request may have rendered it in the meantime, with another seller: everyone gets the stored file.
  const first = await findInvoicePdf(database, { organizationId, invoiceId: id });
  if (first === undefined) {
    throw new Error('the PDF of an invoice was not stored');
  }
  return first;
}

/** The name of the downloaded file. */
export function fileNameOf({ number }: Pick<InvoiceRow, 'number'>): string {
  return `${number.replace(/[^A-Za-z0-9-]/g, '')}.pdf`;
}

async function render({ renderer, seller, watermark }: InvoiceFileTools, invoice: InvoiceRow): Promise<InvoicePdfRow> {
  const document = createInvoiceDocument(invoice, seller, watermark);
  const content = await renderer.render(invoice.organization_id, document);
  return { content, sha256: createHash('sha256').update(content).digest() };
}
