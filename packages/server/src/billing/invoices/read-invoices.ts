import { type AuthorizedContext, type ListPage, notFound, type PageRequest } from '../../http/index.ts';
import { findInvoice, type InvoiceRow, presentInvoice } from '../ledger/invoice-queries.ts';
import type { Invoice } from '../schemas.ts';
import { INVOICE_LIST } from './invoice-list.ts';

/** A page of the invoices of the present organization. */
export async function readInvoices(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
  baseUrl: string,
): Promise<ListPage<Invoice>> {
  const { organizationId } = principal;
  return INVOICE_LIST.getPage(database, page, { organizationId }, (row) => presentInvoice(row, baseUrl));
}

/** One invoice of the present organization. Throws `not_found` for another organization's. */
export async function readInvoice(
  { database, principal }: AuthorizedContext,
  id: string,
  baseUrl: string,
): Promise<Invoice> {
  return presentInvoice(await getInvoice({ database, principal }, id), baseUrl);
}

/** Its row. Throws `not_found` for another organization's. */
export async function getInvoice(
  { database, principal }: Pick<AuthorizedContext, 'database' | 'principal'>,
  id: string,
): Promise<InvoiceRow> {
  const { organizationId } = principal;
  const row = await findInvoice(database, { organizationId, id });
  if (row === undefined) {
    throw notFound('invoice');
  }
  return row;
}
