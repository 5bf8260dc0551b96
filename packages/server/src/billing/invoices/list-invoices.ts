import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { presentInvoice } from '../ledger/invoice-queries.ts';
import type { Invoice } from '../schemas.ts';
import { INVOICE_LIST } from './invoice-list.ts';

/** A page of the organization's invoices. */
export async function listInvoices(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
  baseUrl: string,
): Promise<ListPage<Invoice>> {
  const { organizationId } = principal;
  return INVOICE_LIST.getPage(database, page, { organizationId }, (row) => presentInvoice(row, baseUrl));
}
