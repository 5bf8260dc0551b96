import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { presentInvoice } from '../ledger/invoice-queries.ts';
import { OPERATOR_INVOICE_LIST } from './operator-invoice-list.ts';
import type { OperatorInvoice } from './schemas.ts';

/** A page of the invoices of all organizations. */
export async function listOperatorInvoices(
  { database }: AuthorizedContext,
  page: PageRequest,
  baseUrl: string,
): Promise<ListPage<OperatorInvoice>> {
  return OPERATOR_INVOICE_LIST.getPage(database, page, {}, (row) => ({
    organization_id: row.organization_id,
    buyer_name: row.buyer.legal_name ?? row.buyer.name,
    ...presentInvoice(row, baseUrl),
  }));
}
