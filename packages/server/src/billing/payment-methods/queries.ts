import { sql } from 'kysely';
import { build, type Queries, type Statement, wallTime } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import { ID_PREFIXES } from '../../ids/index.ts';
import type { Account } from '../accounts/open-account.ts';
import type { AttachedMethod, PaymentProvider } from '../payment-provider/payment-provider.ts';

/** A payment method as it is kept. */
export interface MethodRow {
  id: string;
  /** The provider's own identifier. */
  provider_ref: string;
  type: 'card';
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  is_default: boolean;
  /** Whether it may be charged while the customer is away. */
  has_mandate: boolean;
  created_at: Date;
}

/** A method that is not removed, by our id or by the provider's; undefined when there is none. */
export async function findMethod(db: Queries, organizationId: string, idOrRef: string): Promise<MethodRow | undefined> {
  const statement = OUR_ID.test(idOrRef) ? FIND_METHOD : FIND_METHOD_BY_REF;
  return (await db.query(statement, [organizationId, idOrRef]))[0];
}

/** A method that is not removed, by our id alone; undefined when there is none. */
export async function findMethodById(db: Queries, organizationId: string, id: string): Promise<MethodRow | undefined> {
  return (await db.query(FIND_METHOD, [organizationId, id]))[0];
}

/** The method that renewals are charged to, if there is one. */
export async function findDefaultMethod(db: Queries, organizationId: string): Promise<MethodRow | undefined> {
  return (await db.query(FIND_DEFAULT_METHOD, [organizationId]))[0];
}

/** The method that was attached last, if there is any. */
export async function findNewestMethod(tx: Queries, organizationId: string): Promise<MethodRow | undefined> {
  return (await tx.query(FIND_NEWEST_METHOD, [organizationId]))[0];
}

/** How many methods there are, up to two. */
export async function countMethods(tx: Queries, organizationId: string): Promise<number> {
  return (await tx.query(LIST_TWO_METHODS, [organizationId])).length;
}

/** Whether a method of this reference was here and is removed: the provider never ties it again. */
export async function wasRemoved(tx: Queries, organizationId: string, ref: string): Promise<boolean> {
  return (await tx.query(FIND_REMOVED_METHOD, [organizationId, ref])).length > 0;
}

/** A page of the organization's methods that are not removed; one row more than the page where there is more. */
export async function listMethods(db: Queries, organizationId: string, page: PageRequest): Promise<MethodRow[]> {
  const { type, is_default: isDefault } = page.filters;
  let query = build
    .selectFrom('payment_methods')
    .select(['id', 'provider_ref', 'brand', 'last4', 'exp_month', 'exp_year', 'is_default', 'has_mandate'])
    .select('created_at')
    .select(sql<'card'>`type`.as('type'))
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null);
  if (type !== undefined) {
    query = query.where('type', '=', type);
  }
  if (isDefault !== undefined) {
    query = query.where('is_default', '=', isDefault === 'true');
  }
  const paged = query.where(afterCursor(page, page.sort)).orderBy(inOrder(page, page.sort));
  return db.run(paged.limit(page.limit + 1).compile());
}

/** Writes an attached method. The account is locked, and there is no other default when this is to be one. */
export async function insertMethod(
  tx: Queries,
  account: Account,
  method: { id: string; provider: PaymentProvider['name']; attached: AttachedMethod; isDefault: boolean },
): Promise<MethodRow> {
  const { ref, brand, last4, expMonth, expYear } = method.attached;
  const card = [ref, brand, last4, expMonth, expYear];
  const [row] = await tx.query(INSERT_METHOD, [
    account.organizationId,
    method.id,
    method.provider,
    ...card,
    method.isDefault,
    account.customerRef,
    account.clockOffsetMs,
  ]);
  if (row === undefined) {
    throw new Error('a payment method that was just written is missing');
  }
  return row;
}

/** Makes one method the default; no other is. Answers it, or undefined when it is removed. The account is locked. */
export async function moveDefault(tx: Queries, organizationId: string, id: string): Promise<MethodRow | undefined> {
  await tx.query(CLEAR_DEFAULT, [organizationId]);
  return (await tx.query(SET_DEFAULT, [organizationId, id]))[0];
}

/** Takes a method away here; where `isTied`, the provider is told afterwards. The account is locked. */
export async function removeMethodRow(tx: Queries, account: Account, id: string, isTied: boolean): Promise<void> {
  await tx.query(REMOVE_METHOD, [account.organizationId, id, account.clockOffsetMs, isTied]);
}

/** Takes every method of a deleted organization away, to be untied at the provider. */
export async function removeMethodsOfOrganization(
  tx: Queries,
  organizationId: string,
  clockOffsetMs: number,
): Promise<void> {
  await tx.query(REMOVE_METHODS_OF_ORGANIZATION, [organizationId, clockOffsetMs]);
}

/** Notes that a method may be charged while the customer is away from now on. The account is locked. */
export async function noteMandate(tx: Queries, organizationId: string, ref: string): Promise<void> {
  await tx.query(NOTE_MANDATE, [organizationId, ref]);
}

/** Whether a payment by this method has no outcome yet, one that was begun before the method was kept included. */
export async function isPaying(tx: Queries, organizationId: string, row: MethodRow): Promise<boolean> {
  return (await tx.query(FIND_PAYMENT_IN_FLIGHT, [organizationId, row.id, row.provider_ref])).length > 0;
}

/** The organization's live subscriptions, a hundred at most. */
export async function listLiveSubscriptionIds(tx: Queries, organizationId: string): Promise<string[]> {
  return (await tx.query(LIST_LIVE_SUBSCRIPTIONS, [organizationId])).map((row) => row.id);
}

/**
 * Lets the open invoices of past due subscriptions be tried at once, now that there is another card to charge. The caller
 * rings `tools.due` after the commit. The account is locked.
 */
export async function retryPastDue(tx: Queries, account: Account): Promise<void> {
  await tx.query(RETRY_PAST_DUE, [account.organizationId, account.clockOffsetMs]);
}

/** The organizations that have a live method of this reference at this provider: one, as providers have it. */
export async function listOrganizationsOfRef(
  db: Queries,
  provider: PaymentProvider['name'],
  ref: string,
): Promise<string[]> {
  return (await db.query(LIST_ORGANIZATIONS_OF_REF, [provider, ref])).map((row) => row.organization_id);
}

const OUR_ID = new RegExp(`^${ID_PREFIXES.paymentMethod}_[0-9a-z]{26}$`);

const COLUMNS = 'id, provider_ref, type, brand, last4, exp_month, exp_year, is_default, has_mandate, created_at';

const FIND_METHOD: Statement<MethodRow> = {
  name: 'find_payment_method',
  text: `select ${COLUMNS} from payment_methods where organization_id = $1 and id = $2 and removed_at is null`,
};

const FIND_METHOD_BY_REF: Statement<MethodRow> = {
  name: 'find_payment_method_by_ref',
  text: `select ${COLUMNS} from payment_methods
    where organization_id = $1 and provider_ref = $2 and removed_at is null`,
};

const FIND_DEFAULT_METHOD: Statement<MethodRow> = {
  name: 'find_default_payment_method',
  text: `select ${COLUMNS} from payment_methods where organization_id = $1 and is_default and removed_at is null`,
};

const FIND_NEWEST_METHOD: Statement<MethodRow> = {
  name: 'find_newest_payment_method',
  text: `select ${COLUMNS} from payment_methods where organization_id = $1 and removed_at is null
    order by created_at desc, id desc limit 1`,
};

const LIST_TWO_METHODS: Statement<{ id: string }> = {
  name: 'list_two_payment_methods',
  text: 'select id from payment_methods where organization_id = $1 and removed_at is null limit 2',
};

const FIND_REMOVED_METHOD: Statement<{ id: string }> = {
  name: 'find_removed_payment_method',
  text: `select id from payment_methods
    where organization_id = $1 and provider_ref = $2 and removed_at is not null limit 1`,
};

/** $1 organization, $2 id, $3 provider, $4 to $8 the card, $9 whether it is the default, $10 customer, $11 clock offset. */
const INSERT_METHOD: Statement<MethodRow> = {
  name: 'insert_payment_method',
  text: `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4, exp_month, exp_year,
      is_default, customer_ref, created_at)
    values ($1, $2, $3, $4, 'card', $5, $6, $7, $8, $9, $10, ${wallTime('$11::bigint')}) returning ${COLUMNS}`,
};

const CLEAR_DEFAULT: Statement<never> = {
  name: 'clear_default_payment_method',
  text: `update payment_methods set is_default = false
    where organization_id = $1 and is_default and removed_at is null`,
};

const SET_DEFAULT: Statement<MethodRow> = {
  name: 'set_default_payment_method',
  text: `update payment_methods set is_default = true
    where organization_id = $1 and id = $2 and removed_at is null returning ${COLUMNS}`,
};

const REMOVE_METHOD: Statement<never> = {
  name: 'remove_payment_method',
  text: `update payment_methods set is_default = false, removed_at = ${wallTime('$3::bigint')},
      detach_due_at = case when $4::boolean and customer_ref is not null then clock_timestamp() end
    where organization_id = $1 and id = $2 and removed_at is null`,
};

const REMOVE_METHODS_OF_ORGANIZATION: Statement<never> = {
  name: 'remove_payment_methods_of_organization',
  text: `update payment_methods set is_default = false, removed_at = ${wallTime('$2::bigint')},
      detach_due_at = case when customer_ref is not null then clock_timestamp() end
    where organization_id = $1 and removed_at is null`,
};

const NOTE_MANDATE: Statement<never> = {
  name: 'note_mandate_of_payment_method',
  text: `update payment_methods set has_mandate = true
    where organization_id = $1 and provider_ref = $2 and removed_at is null and not has_mandate`,
};

const FIND_PAYMENT_IN_FLIGHT: Statement<{ id: string }> = {
  name: 'find_payment_in_flight_of_method',
  text: `select id from payments
    where organization_id = $1 and settled_at is null and (payment_method_id = $2 or method_ref = $3) limit 1`,
};

const LIST_LIVE_SUBSCRIPTIONS: Statement<{ id: string }> = {
  name: 'list_live_subscriptions_for_method',
  text: `select id from subscriptions
    where organization_id = $1 and status in ('incomplete', 'active', 'past_due') order by id limit 100`,
};

const RETRY_PAST_DUE: Statement<never> = {
  name: 'retry_past_due_subscriptions',
  text: `update subscriptions set next_action_at = least(next_action_at, ${wallTime('$2::bigint')})
    where organization_id = $1 and status = 'past_due'`,
};

const LIST_ORGANIZATIONS_OF_REF: Statement<{ organization_id: string }> = {
  name: 'list_organizations_of_payment_method',
  text: `select organization_id from payment_methods
    where provider = $1 and provider_ref = $2 and removed_at is null`,
};
