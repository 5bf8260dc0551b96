import type { Static } from 'typebox';
import { count, exists, many, maybeOne, one, type Queries, statement, wallTime } from '../../database/index.ts';
import { ID_PREFIXES } from '../../ids/index.ts';
import type { PaymentMethod } from '../schemas.ts';

/** A payment method as stored. */
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
  /** Whether it may be charged without the customer. */
  has_mandate: boolean;
  created_at: Date;
}

/** A payment method as the API shows it. */
export function presentMethod(row: MethodRow): Static<typeof PaymentMethod> {
  return {
    id: row.id,
    type: row.type,
    card: { brand: row.brand, last4: row.last4, exp_month: row.exp_month, exp_year: row.exp_year },
    is_default: row.is_default,
    created_at: row.created_at.toISOString(),
  };
}

export const METHOD_COLUMNS =
  'id, provider_ref, type, brand, last4, exp_month, exp_year, is_default, has_mandate, created_at';

/** A method that is not removed, by our ID or by the provider's. */
export async function findMethod(db: Queries, organizationId: string, idOrRef: string): Promise<MethodRow | undefined> {
  return OUR_ID.test(idOrRef)
    ? findMethodById(db, { organizationId, id: idOrRef })
    : findMethodByRef(db, { organizationId, ref: idOrRef });
}

const OUR_ID = new RegExp(`^${ID_PREFIXES.paymentMethod}_[0-9a-z]{26}$`);

/** A method that is not removed, by our ID only. */
export const findMethodById = statement({
  name: 'find_payment_method',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<MethodRow>(),
  sql: ({ organizationId, id }) => `select ${METHOD_COLUMNS} from payment_methods
    where organization_id = ${organizationId} and id = ${id} and removed_at is null`,
});

const findMethodByRef = statement({
  name: 'find_payment_method_by_ref',
  parameters: { organizationId: 'text', ref: 'text' },
  returns: maybeOne<MethodRow>(),
  sql: ({ organizationId, ref }) => `select ${METHOD_COLUMNS} from payment_methods
    where organization_id = ${organizationId} and provider_ref = ${ref} and removed_at is null`,
});

/** The method that renewals are charged to, if there is one. */
export const findDefaultMethod = statement({
  name: 'find_default_payment_method',
  parameters: { organizationId: 'text' },
  returns: maybeOne<MethodRow>(),
  sql: ({ organizationId }) => `select ${METHOD_COLUMNS} from payment_methods
    where organization_id = ${organizationId} and is_default and removed_at is null`,
});

/** The most recently attached method, if any. */
export const findNewestMethod = statement({
  name: 'find_newest_payment_method',
  parameters: { organizationId: 'text' },
  returns: maybeOne<MethodRow>(),
  sql: ({ organizationId }) => `select ${METHOD_COLUMNS} from payment_methods
    where organization_id = ${organizationId} and removed_at is null order by created_at desc, id desc limit 1`,
});

/** How many methods there are, up to two. */
export const countMethods = statement({
  name: 'list_two_payment_methods',
  parameters: { organizationId: 'text' },
  returns: count(),
  sql: ({ organizationId }) =>
    `select id from payment_methods where organization_id = ${organizationId} and removed_at is null limit 2`,
});

/** Whether a method with this reference was removed here: the provider never attaches it again. */
export const hasRemovedMethod = statement({
  name: 'has_removed_payment_method',
  parameters: { organizationId: 'text', ref: 'text' },
  returns: exists(),
  sql: ({ organizationId, ref }) => `select id from payment_methods
    where organization_id = ${organizationId} and provider_ref = ${ref} and removed_at is not null limit 1`,
});

/** Writes an attached card. The account is locked, and there is no other default if this one is the default. */
export const insertMethod = statement({
  name: 'insert_payment_method',
  parameters: {
    organizationId: 'text',
    id: 'text',
    provider: 'text',
    ref: 'text',
    brand: 'text',
    last4: 'text',
    expMonth: 'integer',
    expYear: 'integer',
    isDefault: 'boolean',
    customerRef: 'text | null',
    clockOffsetMs: 'bigint',
  },
  returns: one<MethodRow>(),
  sql: (
    method,
  ) => `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4, exp_month,
      exp_year, is_default, customer_ref, created_at)
    values (${method.organizationId}, ${method.id}, ${method.provider}, ${method.ref}, 'card', ${method.brand},
      ${method.last4}, ${method.expMonth}, ${method.expYear}, ${method.isDefault}, ${method.customerRef},
      ${wallTime(method.clockOffsetMs)})
    returning ${METHOD_COLUMNS}`,
});

/** Makes one method the only default and returns it, or undefined if it was removed. The account is locked. */
export async function updateDefaultMethod(
  tx: Queries,
  method: { organizationId: string; id: string },
): Promise<MethodRow | undefined> {
  await updateDefaultCleared(tx, { organizationId: method.organizationId });
  return updateDefaultSet(tx, method);
}

const updateDefaultCleared = statement({
  name: 'update_default_payment_method_cleared',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `update payment_methods set is_default = false
    where organization_id = ${organizationId} and is_default and removed_at is null`,
});

const updateDefaultSet = statement({
  name: 'update_default_payment_method_set',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<MethodRow>(),
  sql: ({ organizationId, id }) => `update payment_methods set is_default = true
    where organization_id = ${organizationId} and id = ${id} and removed_at is null returning ${METHOD_COLUMNS}`,
});

/** Marks a method as removed. If it `isAttached` at the provider, it has to be detached there. The account is locked. */
export const updateRemovedMethod = statement({
  name: 'remove_payment_method',
  parameters: { organizationId: 'text', id: 'text', clockOffsetMs: 'bigint', isAttached: 'boolean' },
  sql: ({ organizationId, id, clockOffsetMs, isAttached }) => `update payment_methods
    set is_default = false, removed_at = ${wallTime(clockOffsetMs)},
      detach_due_at = case when ${isAttached} and customer_ref is not null then clock_timestamp() end
    where organization_id = ${organizationId} and id = ${id} and removed_at is null`,
});

/** Marks every method of a deleted organization as removed, to be detached at the provider. */
export const updateRemovedMethods = statement({
  name: 'remove_payment_methods_of_organization',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint' },
  sql: ({ organizationId, clockOffsetMs }) => `update payment_methods
    set is_default = false, removed_at = ${wallTime(clockOffsetMs)},
      detach_due_at = case when customer_ref is not null then clock_timestamp() end
    where organization_id = ${organizationId} and removed_at is null`,
});

/** Records that a method may be charged without the customer from now on. The account is locked. */
export const updateMandate = statement({
  name: 'note_mandate_of_payment_method',
  parameters: { organizationId: 'text', ref: 'text' },
  sql: ({ organizationId, ref }) => `update payment_methods set has_mandate = true
    where organization_id = ${organizationId} and provider_ref = ${ref} and removed_at is null and not has_mandate`,
});

/** Whether a payment with this method has no outcome yet, even if it began before the method was stored. */
export const hasPaymentInFlight = statement({
  name: 'has_payment_in_flight_of_method',
  parameters: { organizationId: 'text', id: 'text', ref: 'text' },
  returns: exists(),
  sql: ({ organizationId, id, ref }) => `select id from payments
    where organization_id = ${organizationId} and settled_at is null
      and (payment_method_id = ${id} or method_ref = ${ref}) limit 1`,
});

/** The organization's live subscriptions, at most a hundred. */
export const listLiveSubscriptions = statement({
  name: 'list_live_subscriptions_for_method',
  parameters: { organizationId: 'text' },
  returns: many<{ id: string }>(),
  sql: ({ organizationId }) => `select id from subscriptions
    where organization_id = ${organizationId} and status in ('incomplete', 'active', 'past_due') order by id limit 100`,
});

/**
 * Lets the open invoices of past-due subscriptions be retried immediately, now that there is another card to charge.
 * The caller rings `tools.due` after the commit. The account is locked.
 */
export const updatePastDueToRetry = statement({
  name: 'retry_past_due_subscriptions',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint' },
  sql: ({ organizationId, clockOffsetMs }) => `update subscriptions
    set next_action_at = least(next_action_at, ${wallTime(clockOffsetMs)})
    where organization_id = ${organizationId} and status = 'past_due'`,
});

/** The organizations with a method of this reference at this provider; providers never reuse a reference. */
export const listOrganizationsOfRef = statement({
  name: 'list_organizations_of_payment_method',
  parameters: { provider: 'text', ref: 'text' },
  returns: many<{ organization_id: string }>(),
  sql: ({ provider, ref }) => `select organization_id from payment_methods
    where provider = ${provider} and provider_ref = ${ref} and removed_at is null`,
});

/** A removed method that must still be detached at the provider. */
export interface MethodToDetach {
  organization_id: string;
  id: string;
  provider: 'test' | 'stripe';
  provider_ref: string;
  customer_ref: string;
}

const TO_DETACH = 'organization_id, id, provider, provider_ref, customer_ref';

/**
 * Claims removed methods that are due, for the maximum duration of a request; each try waits longer than the last. The
 * update is conditional on the time read, so only one of several processes gets each: for the others the row no longer
 * matches.
 */
export const claimMethodsToDetach = statement({
  name: 'claim_payment_methods_to_detach',
  parameters: { limit: 'integer' },
  returns: many<MethodToDetach>(),
  sql: ({ limit }) => `update payment_methods set detach_tries = detach_tries + 1,
      detach_due_at = clock_timestamp() + least(60 * power(2, least(detach_tries, 10)), 21600) * interval '1 second'
    where ctid = any(array(
      select ctid from payment_methods
      where detach_due_at <= (select clock_timestamp()) order by detach_due_at limit ${limit} for update skip locked
    ))
    returning ${TO_DETACH}`,
});

/** The removed method of this reference that must still be detached, due or not. */
export const findMethodToDetach = statement({
  name: 'find_payment_method_to_detach',
  parameters: { organizationId: 'text', ref: 'text' },
  returns: maybeOne<MethodToDetach>(),
  sql: ({ organizationId, ref }) => `select ${TO_DETACH} from payment_methods
    where organization_id = ${organizationId} and provider_ref = ${ref} and removed_at is not null
      and detach_due_at is not null limit 1`,
});

/** Records that the provider has detached a method. */
export const updateDetachedMethod = statement({
  name: 'update_detached_payment_method',
  parameters: { organizationId: 'text', id: 'text' },
  sql: ({ organizationId, id }) =>
    `update payment_methods set detach_due_at = null where organization_id = ${organizationId} and id = ${id}`,
});
