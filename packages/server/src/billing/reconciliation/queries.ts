import type { Queries, Statement } from '../../database/index.ts';
import { findInvoice, type InvoiceRow } from '../invoices/read-queries.ts';

/** The organization whose customer this is at the provider. */
export async function findOrganizationOfCustomer(database: Queries, customerRef: string): Promise<string | undefined> {
  return (await database.query(FIND_ORGANIZATION_OF_CUSTOMER, [customerRef]))[0]?.organization_id;
}

/** The invoice that bills a period of a subscription in advance. */
export async function findPeriodInvoice(
  tx: Queries,
  organizationId: string,
  subscriptionId: string,
  periodIndex: number,
): Promise<InvoiceRow | undefined> {
  const [row] = await tx.query(FIND_PERIOD_INVOICE, [organizationId, subscriptionId, periodIndex]);
  return row === undefined ? undefined : findInvoice(tx, organizationId, row.id);
}

const FIND_ORGANIZATION_OF_CUSTOMER: Statement<{ organization_id: string }> = {
  name: 'find_organization_of_customer',
  text: 'select organization_id from billing_accounts where customer_ref = $1 order by organization_id limit 1',
};

const FIND_PERIOD_INVOICE: Statement<{ id: string }> = {
  name: 'find_period_invoice',
  text: `select id from invoices where organization_id = $1 and subscription_id = $2 and period_index = $3
    and reason <> 'change' and status <> 'void'`,
};
