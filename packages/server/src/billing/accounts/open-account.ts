import { randomBytes } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { type AccountRow, type BuyerRow, FIND_SLUG, INSERT_ACCOUNT, LOCK_ACCOUNT, READ_ACCOUNT } from './queries.ts';

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
export async function openAccount(tx: Queries, organizationId: string): Promise<Account> {
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
