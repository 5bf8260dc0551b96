import { type Statement, wallTime } from '../../database/index.ts';

/** The account of an organization, with what is read of the organization itself. */
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

/** $1 organization. Held by whatever changes its money until the transaction ends. */
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
export const FIND_SLUG: Statement<{ slug: string }> = {
  name: 'find_slug_for_billing',
  text: 'select slug from organizations where id = $1 and deleted_at is null',
};

/** $1 organization, $2 code. No row when another made the account, or the code is another organization's. */
export const INSERT_ACCOUNT: Statement<{ organization_id: string }> = {
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
