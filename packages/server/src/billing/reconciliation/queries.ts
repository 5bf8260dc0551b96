import type { Queries, Statement } from '../../database/index.ts';
import { findInvoice, type InvoiceRow } from '../ledger/invoice-queries.ts';
import type { PaymentStatus } from '../ledger/payment-state.ts';

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

/** What is compared of a payment. */
export interface ComparedPayment {
  organization_id: string;
  id: string;
  provider: 'test' | 'stripe';
  provider_ref: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  created_at: Date;
}

/** The payments here that have these references at the provider. */
export async function listComparedPayments(
  database: Queries,
  provider: string,
  refs: readonly string[],
): Promise<ComparedPayment[]> {
  return database.query(LIST_COMPARED_PAYMENTS, [provider, refs]);
}

/** The payments that succeeded here and that this reconciliation has not seen at the provider, after its cursor. */
export async function listUnseenPayments(
  database: Queries,
  provider: string,
  { sinceMs, startedAtMs, cursor }: { sinceMs: number; startedAtMs: number; cursor: string | null },
  limit: number,
): Promise<ComparedPayment[]> {
  const [createdMs = String(sinceMs), id = ''] = cursor?.split(' ') ?? [];
  return database.query(LIST_UNSEEN_PAYMENTS, [provider, Number(createdMs), id, startedAtMs, limit]);
}

/** Notes payments that are at the provider as they are here. */
export async function noteReconciled(
  database: Queries,
  seen: readonly ComparedPayment[],
  startedAtMs: number,
): Promise<void> {
  if (seen.length > 0) {
    const keys = [seen.map((each) => each.organization_id), seen.map((each) => each.id)];
    await database.query(UPDATE_RECONCILED, [...keys, startedAtMs]);
  }
}

const COMPARED = 'organization_id, id, provider, provider_ref, status, amount, currency, created_at';

const LIST_COMPARED_PAYMENTS: Statement<ComparedPayment> = {
  name: 'list_compared_payments',
  text: `select ${COMPARED} from payments where provider = $1 and provider_ref = any($2::text[])`,
};

/** $2 and $3: after which time of creation and id; $4: when the reconciliation began. Times in milliseconds. */
const LIST_UNSEEN_PAYMENTS: Statement<ComparedPayment> = {
  name: 'list_unseen_payments',
  text: `select ${COMPARED} from payments
    where status = 'succeeded' and provider = $1 and provider_ref is not null
      and (created_at, id) > (to_timestamp($2::float8 / 1000), $3::text)
      and (reconciled_at is null or reconciled_at < to_timestamp($4::float8 / 1000))
    order by created_at, id limit $5`,
};

/** $3: when the reconciliation began, in milliseconds. */
const UPDATE_RECONCILED: Statement<never> = {
  name: 'update_reconciled_payments',
  text: `update payments p set reconciled_at = to_timestamp($3::float8 / 1000)
    from unnest($1::text[], $2::text[]) as n (organization_id, id)
    where p.organization_id = n.organization_id and p.id = n.id`,
};
