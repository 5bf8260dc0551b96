import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from '../ledger/invoice-queries.ts';
import { INVOICE_STATUSES } from '../schemas.ts';

/** The invoices of all organizations. */
export const OPERATOR_INVOICE_LIST = defineList({
  name: 'list_operator_invoices',
  returns: many<InvoiceRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: {
    organization_id: filterBy.text('organization_id'),
    status: filterBy.oneOf(INVOICE_STATUSES, 'status'),
    number: filterBy.text('number'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: (_, { page }) => `select ${INVOICE_COLUMNS} from invoices where ${page}`,
});
