import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from '../ledger/invoice-queries.ts';
import { INVOICE_STATUSES } from '../schemas.ts';

/** An organization's invoices. Numbers sort by their sequence, because their text begins with a code. */
export const INVOICE_LIST = defineList({
  name: 'list_invoices',
  parameters: { organizationId: 'text' },
  returns: many<InvoiceRow>(),
  defaultSort: '-created_at',
  sorts: {
    created_at: sortBy.time('created_at'),
    number: sortBy.integer('sequence'),
    amount_due: sortBy.integer('amount_due'),
  },
  filters: {
    status: filterBy.oneOf(INVOICE_STATUSES, 'status'),
    subscription_id: filterBy.text('subscription_id'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: ({ organizationId }, { page }) =>
    `select ${INVOICE_COLUMNS} from invoices where organization_id = ${organizationId} and ${page}`,
});
