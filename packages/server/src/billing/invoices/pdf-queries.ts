import type { Queries, Statement } from '../../database/index.ts';

/** The file of an invoice that will not change any more. */
export interface InvoicePdfRow {
  sha256: Buffer;
  content: Buffer;
}

/** The file that was kept, or undefined. */
export async function findInvoicePdf(
  database: Queries,
  organizationId: string,
  invoiceId: string,
): Promise<InvoicePdfRow | undefined> {
  return (await database.query(FIND_INVOICE_PDF, [organizationId, invoiceId]))[0];
}

/** Stores a file unless there is one already: the first one stays. */
export async function insertInvoicePdf(
  database: Queries,
  organizationId: string,
  invoiceId: string,
  { sha256, content }: InvoicePdfRow,
): Promise<void> {
  await database.query(INSERT_INVOICE_PDF, [organizationId, invoiceId, sha256, content]);
}

const FIND_INVOICE_PDF: Statement<InvoicePdfRow> = {
  name: 'find_invoice_pdf',
  text: 'select sha256, content from invoice_pdfs where organization_id = $1 and invoice_id = $2',
};

const INSERT_INVOICE_PDF: Statement<never> = {
  name: 'insert_invoice_pdf',
  text: `insert into invoice_pdfs (organization_id, invoice_id, sha256, content, created_at)
    values ($1, $2, $3, $4, clock_timestamp()) on conflict do nothing`,
};
