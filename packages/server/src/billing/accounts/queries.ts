import { randomBytes } from 'node:crypto';
import { type Queries, type Statement, wallTime } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';

/** An organization's money, locked until the transaction ends. */
export interface Account {
  organizationId: string;
  /** The organization's clock when the lock was given, in milliseconds since 1970. */
  nowMs: number;
  clockOffsetMs: number;
  invoiceCode: string;
  customerRef: string | null;
  /** Of the invoice that was finalized last; 0 before the first. */
  lastInvoiceNumber: number;
  organizationName: string;
  buyer: BuyerRow;
}

/**
 * Locks the account of an organization, which is made when it first buys: the first statement of every transaction that
 * changes its subscriptions, invoices, payments, payment methods or credit. Throws not_found when it was deleted.
 */
export async function lockAccount(tx: Queries, organizationId: string): Promise<Account> {
  const [locked] = await tx.query(LOCK_ACCOUNT, [organizationId]);
  if (locked === undefined) {
    await makeAccount(tx, organizationId);
  }
  const [row] = await tx.query(READ_ACCOUNT, [organizationId]);
  if (row === undefined) {
    throw notFound('organization');
  }
  return accountOf(row);
}

async function makeAccount(tx: Queries, organizationId: string): Promise<void> {
  const [organization] = await tx.query(FIND_SLUG, [organizationId]);
  if (organization === undefined) {
    throw notFound('organization');
  }
  const code = organization.slug
    .replace(/[^a-z0-9]/g, '')
    .slice(0, CODE_CHARACTERS)
    .toUpperCase();
  for (const candidate of [code, `${code}${randomCharacters(3)}`, `${code}${randomCharacters(8)}`]) {
    await tx.query(INSERT_ACCOUNT, [organizationId, candidate]);
    // Another transaction may have made it meanwhile, so what counts is that it is there and ours.
    const [locked] = await tx.query(LOCK_ACCOUNT, [organizationId]);
    if (locked !== undefined) {
      return;
    }
  }
  throw new Error('no invoice code is free');
}

const CODE_CHARACTERS = 12;
const CHARACTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

function randomCharacters(count: number): string {
  return Array.from(randomBytes(count), (byte) => CHARACTERS[byte % CHARACTERS.length]).join('');
}

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

/** The account of an organization, with the columns that are read from the organization itself. */
export interface AccountRow {
  organization_id: string;
  invoice_code: string;
  customer_ref: string | null;
  last_invoice_number: number;
  name: string;
  billing_details: BuyerRow | null;
  clock_offset_ms: number;
  /** The organization's clock, read after the lock was given. */
  now_ms: number;
}

export interface BuyerRow {
  legal_name: string | null;
  address: string | null;
  tax_id: string | null;
  email: string | null;
}

/** $1 organization. A transaction that changes its money holds this lock until it ends. */
export const LOCK_ACCOUNT: Statement<{ organization_id: string }> = {
  name: 'lock_billing_account',
  text: 'select organization_id from billing_accounts where organization_id = $1 for update',
};

/** $1 organization. In a statement of its own, so that the time is read after any wait for the lock. */
export const READ_ACCOUNT: Statement<AccountRow> = {
  name: 'read_billing_account',
  text: `select a.organization_id, a.invoice_code, a.customer_ref, a.last_invoice_number, o.name, o.billing_details, o.clock_offset_ms,
      floor(extract(epoch from ${wallTime('o.clock_offset_ms')}) * 1000)::float8 as now_ms
    from billing_accounts a join organizations o on o.id = a.organization_id
    where a.organization_id = $1 and o.deleted_at is null`,
};

/** $1 organization: what its invoice code may be made of; nothing when there is no such organization. */
const FIND_SLUG: Statement<{ slug: string }> = {
  name: 'find_slug_for_billing',
  text: 'select slug from organizations where id = $1 and deleted_at is null',
};

/** $1 organization, $2 code. No row when another made the account, or the code is another organization's. */
const INSERT_ACCOUNT: Statement<{ organization_id: string }> = {
  name: 'insert_billing_account',
  text: `insert into billing_accounts (organization_id, invoice_code, created_at) values ($1, $2, clock_timestamp())
    on conflict do nothing returning organization_id`,
};

/** $1 organization, $2 the provider's customer. */
export const UPDATE_CUSTOMER: Statement<never> = {
  name: 'update_billing_customer',
  text: 'update billing_accounts set customer_ref = $2 where organization_id = $1',
};

/** $1 organization, $2 the number taken last. */
export const UPDATE_INVOICE_NUMBER: Statement<never> = {
  name: 'update_invoice_number',
  text: 'update billing_accounts set last_invoice_number = $2 where organization_id = $1',
};

/** $1 organization: its clock. */
export const READ_ORGANIZATION_CLOCK: Statement<{ now_ms: number }> = {
  name: 'read_organization_clock',
  text: `select floor(extract(epoch from ${wallTime('clock_offset_ms')}) * 1000)::float8 as now_ms
    from organizations where id = $1`,
};
