import { sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { InvoiceLine, InvoiceTaxLine } from './schemas.ts';

/** Whom an invoice is made out to, as it was when it was finalized. */
export interface InvoiceBuyer {
  /** What the organization was called; the invoice names it where there is no legal name. */
  name: string;
  legal_name: string | null;
  address: string | null;
  tax_id: string | null;
  email: string | null;
}

/** The card that paid an invoice. */
export interface InvoiceCard {
  brand: string;
  last4: string;
}

/** An invoice as it is kept. Amounts are minor units of the currency. */
export interface InvoiceRow {
  organization_id: string;
  id: string;
  number: string;
  sequence: number;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  subscription_id: string;
  /** A whole period in advance, or the rest of one after more was taken. */
  reason: 'create' | 'renewal' | 'change';
  period_index: number;
  period_start: Date;
  period_end: Date;
  currency: string;
  /** They sum to the subtotal. */
  lines: readonly InvoiceLine[];
  subtotal: number;
  discount: number;
  /** The coupon that gives the discount; null if there is none. */
  coupon_code: string | null;
  tax: number;
  tax_lines: readonly InvoiceTaxLine[];
  credit_applied: number;
  /** subtotal - discount + tax - credit_applied */
  amount_due: number;
  amount_paid: number;
  buyer: InvoiceBuyer;
  paid_with: InvoiceCard | null;
  created_at: Date;
  paid_at: Date | null;
  closed_at: Date | null;
}

const PLAIN_COLUMNS = [
  'organization_id',
  'id',
  'number',
  'sequence',
  'subscription_id',
  'period_index',
  'period_start',
  'period_end',
  'currency',
  'subtotal',
  'discount',
  'coupon_code',
  'tax',
  'credit_applied',
  'amount_due',
  'amount_paid',
  'created_at',
  'paid_at',
  'closed_at',
] as const;

/** The columns of an InvoiceRow, for statements that are written out. */
const INVOICE_COLUMNS = `${PLAIN_COLUMNS.join(', ')}, status, reason, lines, tax_lines, buyer, paid_with`;

/** What is to be paid before credit. */
export function totalOf({ subtotal, discount, tax }: Pick<InvoiceRow, 'subtotal' | 'discount' | 'tax'>): number {
  return subtotal - discount + tax;
}

/** One invoice of an organization, or undefined. */
export async function findInvoice(
  database: Queries,
  organizationId: string,
  id: string,
): Promise<InvoiceRow | undefined> {
  return (await database.query(FIND_INVOICE, [organizationId, id]))[0];
}

/** Some of an organization's invoices, by their ids. */
export async function listInvoicesById(
  database: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<InvoiceRow[]> {
  return database.query(LIST_INVOICES_BY_ID, [organizationId, ids]);
}

/** A page of an organization's invoices. */
export async function listInvoices(
  database: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<InvoiceRow[]> {
  const { status, subscription_id: subscriptionId, created_after: after, created_before: before } = page.filters;
  let query = build
    .selectFrom('invoices')
    .select(PLAIN_COLUMNS)
    .select(sql<InvoiceRow['status']>`status`.as('status'))
    .select(sql<InvoiceRow['reason']>`reason`.as('reason'))
    .select(sql<InvoiceLine[]>`lines`.as('lines'))
    .select(sql<InvoiceTaxLine[]>`tax_lines`.as('tax_lines'))
    .select(sql<InvoiceBuyer>`buyer`.as('buyer'))
    .select(sql<InvoiceCard | null>`paid_with`.as('paid_with'))
    .where('organization_id', '=', organizationId);
  if (status !== undefined) {
    query = query.where('status', '=', status);
  }
  if (subscriptionId !== undefined) {
    query = query.where('subscription_id', '=', subscriptionId);
  }
  if (after !== undefined) {
    query = query.where('created_at', '>', new Date(after));
  }
  if (before !== undefined) {
    query = query.where('created_at', '<', new Date(before));
  }
  const column = sortColumn(page.sort);
  const paged = query.where(afterCursor(page, column)).orderBy(inOrder(page, column));
  return database.run(paged.limit(page.limit + 1).compile());
}

const FIND_INVOICE: Statement<InvoiceRow> = {
  name: 'find_invoice',
  text: `select ${INVOICE_COLUMNS} from invoices where organization_id = $1 and id = $2`,
};

const LIST_INVOICES_BY_ID: Statement<InvoiceRow> = {
  name: 'list_invoices_by_id',
  text: `select ${INVOICE_COLUMNS} from invoices where organization_id = $1 and id = any($2::text[])`,
};

/** By the name that a request sorts by: numbers sort by what is counted, since their text has a code before it. */
export function sortColumn(sort: string): 'created_at' | 'sequence' | 'amount_due' {
  return sort === 'number' ? 'sequence' : sort === 'amount_due' ? 'amount_due' : 'created_at';
}
