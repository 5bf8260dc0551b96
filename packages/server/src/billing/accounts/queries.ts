import { randomBytes } from 'node:crypto';
import { exists, maybeOne, milliseconds, type Queries, statement, wallTime } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { findOrganizationSlug } from '../../organizations/index.ts';

/** An organization's money, locked until the transaction ends. */
export interface Account {
  organizationId: string;
  /** The organization's clock when the lock was acquired, in milliseconds since 1970. */
  nowMs: number;
  clockOffsetMs: number;
  invoiceCode: string;
  customerRef: string | null;
  /** Of the last finalized invoice; 0 before the first. */
  lastInvoiceNumber: number;
  organizationName: string;
  buyer: BuyerRow;
}

export interface BuyerRow {
  legal_name: string | null;
  address: string | null;
  tax_id: string | null;
  email: string | null;
}

/**
 * Locks the account of an organization, which is created at its first purchase: the first statement of every
 * transaction that changes its subscriptions, invoices, payments, payment methods or credit. Throws not_found if it was
 * deleted.
 */
export async function lockAccount(tx: Queries, organizationId: string): Promise<Account> {
  if (!(await lockAccountRow(tx, { organizationId }))) {
    await createAccount(tx, organizationId);
  }
  const account = await findAccount(tx, { organizationId });
  if (account === undefined) {
    throw notFound('organization');
  }
  return account;
}

async function createAccount(tx: Queries, organizationId: string): Promise<void> {
  const organization = await findOrganizationSlug(tx, { organizationId });
  if (organization === undefined) {
    throw notFound('organization');
  }
  const code = organization.slug
    .replace(/[^a-z0-9]/g, '')
    .slice(0, CODE_CHARACTERS)
    .toUpperCase();
  for (const candidate of [code, `${code}${randomCharacters(3)}`, `${code}${randomCharacters(8)}`]) {
    await insertAccount(tx, { organizationId, invoiceCode: candidate });
    // Another transaction may have created it in the meantime; it only has to exist and be locked by us.
    if (await lockAccountRow(tx, { organizationId })) {
      return;
    }
  }
  throw new Error('no invoice code is free');
}

const CODE_CHARACTERS = 12;
const CHARACTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

function randomCharacters(length: number): string {
  return Array.from(randomBytes(length), (byte) => CHARACTERS[byte % CHARACTERS.length]).join('');
}

/** Locks an account until the transaction ends; returns whether it exists. */
export const lockAccountRow = statement({
  name: 'lock_billing_account',
  parameters: { organizationId: 'text' },
  returns: exists(),
  sql: ({ organizationId }) =>
    `select organization_id from billing_accounts where organization_id = ${organizationId} for update`,
});

interface AccountRow {
  organization_id: string;
  invoice_code: string;
  customer_ref: string | null;
  last_invoice_number: number;
  name: string;
  billing_details: BuyerRow | null;
  clock_offset_ms: number;
  now_ms: number;
}

/** An account. A separate statement, so that the time is read after any wait for the lock. */
export const findAccount = statement({
  name: 'find_billing_account',
  parameters: { organizationId: 'text' },
  returns: maybeOne(accountOf),
  sql: ({ organizationId }) => `select a.organization_id, a.invoice_code, a.customer_ref, a.last_invoice_number, o.name,
      o.billing_details, o.clock_offset_ms, ${milliseconds(wallTime('o.clock_offset_ms'))} as now_ms
    from billing_accounts a join organizations o on o.id = a.organization_id
    where a.organization_id = ${organizationId} and o.deleted_at is null`,
});

function accountOf(row: AccountRow): Account {
  return {
    organizationId: row.organization_id,
    nowMs: row.now_ms,
    clockOffsetMs: row.clock_offset_ms,
    invoiceCode: row.invoice_code,
    customerRef: row.customer_ref,
    lastInvoiceNumber: row.last_invoice_number,
    organizationName: row.name,
    buyer: row.billing_details ?? { legal_name: null, address: null, tax_id: null, email: null },
  };
}

/** Does nothing if the organization has an account, or another organization has this invoice code. */
const insertAccount = statement({
  name: 'insert_billing_account',
  parameters: { organizationId: 'text', invoiceCode: 'text' },
  sql: ({ organizationId, invoiceCode }) => `insert into billing_accounts (organization_id, invoice_code, created_at)
    values (${organizationId}, ${invoiceCode}, clock_timestamp()) on conflict do nothing`,
});

export const updateCustomer = statement({
  name: 'update_billing_customer',
  parameters: { organizationId: 'text', customerRef: 'text' },
  sql: ({ organizationId, customerRef }) =>
    `update billing_accounts set customer_ref = ${customerRef} where organization_id = ${organizationId}`,
});

/** Writes the last invoice number taken. */
export const updateInvoiceNumber = statement({
  name: 'update_invoice_number',
  parameters: { organizationId: 'text', lastNumber: 'integer' },
  sql: ({ organizationId, lastNumber }) =>
    `update billing_accounts set last_invoice_number = ${lastNumber} where organization_id = ${organizationId}`,
});
