import { maybeOne, statement } from '../../database/index.ts';

/** The file of a closed invoice. */
export interface InvoicePdfRow {
  sha256: Buffer;
  content: Buffer;
}

/** The stored file of an invoice. */
export const findInvoicePdf = statement({
  name: 'find_invoice_pdf',
  parameters: { organizationId: 'text', invoiceId: 'text' },
  returns: maybeOne<InvoicePdfRow>(),
  sql: ({ organizationId, invoiceId }) =>
    `select sha256, content from invoice_pdfs where organization_id = ${organizationId} and invoice_id = ${invoiceId}`,
});

/** Stores a file unless there already is one. */
export const insertInvoicePdf = statement({
  name: 'insert_invoice_pdf',
  parameters: { organizationId: 'text', invoiceId: 'text', sha256: 'bytea', content: 'bytea' },
  sql: ({ organizationId, invoiceId, sha256, content }) => `insert into invoice_pdfs
      (organization_id, invoice_id, sha256, content, created_at)
    values (${organizationId}, ${invoiceId}, ${sha256}, ${content}, clock_timestamp()) on conflict do nothing`,
});
