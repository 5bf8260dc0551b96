import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { findInvoice, type InvoiceRow, presentInvoice } from '../ledger/invoice-queries.ts';
import type { Invoice } from '../schemas.ts';

/** One invoice of the organization. Throws not_found. */
export async function getInvoice(context: AuthorizedContext, id: string, baseUrl: string): Promise<Invoice> {
  return presentInvoice(await requireInvoice(context, id), baseUrl);
}

/** The row of an invoice. Throws not_found, also for another organization's. */
export async function requireInvoice({ database, principal }: AuthorizedContext, id: string): Promise<InvoiceRow> {
  const row = await findInvoice(database, { organizationId: principal.organizationId, id });
  if (row === undefined) {
    throw notFound('invoice');
  }
  return row;
}
