import type { Queries } from '../../database/index.ts';
import type { Attachment, AttachmentReference } from '../../mail/index.ts';
import { fileNameOf, type InvoiceDrawing, readInvoiceFile } from './invoice-file.ts';
import { findInvoice, type InvoiceRow } from './read-queries.ts';

/** What a mail keeps of an invoice that it attaches: its name alone. The PDF is made, or found, when the mail is sent. */
export function referenceTo({ organization_id, id }: InvoiceRow): AttachmentReference {
  return { kind: 'invoice', organization_id, id };
}

/** The PDF of the invoice that a mail refers to; undefined when the invoice is gone. */
export async function attachInvoice(
  database: Queries,
  drawing: InvoiceDrawing,
  { organization_id: organizationId, id }: AttachmentReference,
): Promise<Attachment | undefined> {
  const invoice = await findInvoice(database, organizationId, id);
  return invoice === undefined
    ? undefined
    : {
        filename: fileNameOf(invoice),
        contentType: 'application/pdf',
        content: (await readInvoiceFile(database, drawing, invoice)).content,
      };
}
