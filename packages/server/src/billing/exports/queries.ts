import { many, statement } from '../../database/index.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from '../ledger/invoice-queries.ts';
import { ALL_PAYMENTS, type ListedPaymentRow } from '../reconciliation/payment-list.ts';

/*
 * Each statement reads one batch along an index, from where the previous one ended. A cursor would hold a connection
 * and a snapshot for as long as the slowest client reads.
 */

const RANGE = { afterTime: 'instant', afterId: 'text', until: 'instant', limit: 'integer' } as const;

export const listInvoicesToExport = statement({
  name: 'list_invoices_to_export',
  parameters: RANGE,
  returns: many<InvoiceRow>(),
  sql: ({ afterTime, afterId, until, limit }) => `select ${INVOICE_COLUMNS} from invoices
    where (created_at, id) > (${afterTime}, ${afterId}) and created_at < ${until} order by created_at, id limit ${limit}`,
});

export const listPaymentsToExport = statement({
  name: 'list_payments_to_export',
  parameters: RANGE,
  returns: many<ListedPaymentRow>(),
  sql: ({ afterTime, afterId, until, limit }) => `select * from ${ALL_PAYMENTS} p
    where (created_at, id) > (${afterTime}, ${afterId}) and created_at < ${until} order by created_at, id limit ${limit}`,
});
