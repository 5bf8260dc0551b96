import type { Queries } from '../../database/index.ts';
import type { Attachment, AttachmentReference } from '../../mail/index.ts';
import { findInvoice } from '../ledger/invoice-queries.ts';
import { fileNameOf, type InvoiceFileTools, loadInvoiceFile } from './invoice-file.ts';

/** The PDF of the invoice that a mail refers to; undefined if the invoice is gone. */
export async function attachInvoice(
  database: Queries,
  tools: InvoiceFileTools,
  { organization_id: organizationId, id }: AttachmentReference,
): Promise<Attachment | undefined> {
  const invoice = await findInvoice(database, { organizationId, id });
  return invoice === undefined
    ? undefined
    : {
        filename: fileNameOf(invoice),
        contentType: 'application/pdf',
        content: (await loadInvoiceFile(database, tools, invoice)).content,
      };
}
