import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { presentInvoice } from './present-invoice.ts';
import { findInvoice, type InvoiceRow, listInvoices, sortColumn } from './read-queries.ts';
import type { Invoice } from './schemas.ts';

/** A page of the invoices of the present organization. */
export async function readInvoices(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
  baseUrl: string,
): Promise<ListPage<Invoice>> {
  const rows = await listInvoices(database, principal.organizationId, page);
  return toPage(
    rows,
    page,
    (row) => ({ value: sortValue(row, page.sort), id: row.id }),
    (row) => presentInvoice(row, baseUrl),
  );
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
  const row = await findInvoice(database, principal.organizationId, id);
  if (row === undefined) {
    throw notFound('invoice');
  }
  return row;
}

function sortValue(row: InvoiceRow, sort: string): string {
  const column = sortColumn(sort);
  return column === 'created_at' ? isoTime(row.created_at.getTime()) : String(row[column]);
}
