import { many, maybeOne, statement } from '../../database/index.ts';

/** A removed method that must still be detached at the provider. */
export interface MethodToDetach {
  organization_id: string;
  id: string;
  provider: 'test' | 'stripe';
  provider_ref: string;
  customer_ref: string;
}

const COLUMNS = 'organization_id, id, provider, provider_ref, customer_ref';

/**
 * Claims removed methods that are due, for as long as an answer may take; each try waits longer than the last. Conditional on
 * the time read, so only one of several processes gets each: for the others the row no longer matches.
 */
export const claimMethodsToDetach = statement({
  name: 'take_payment_methods_to_detach',
  parameters: { limit: 'integer' },
  returns: many<MethodToDetach>(),
  sql: ({ limit }) => `update payment_methods set detach_tries = detach_tries + 1,
      detach_due_at = clock_timestamp() + least(60 * power(2, least(detach_tries, 10)), 21600) * interval '1 second'
    where ctid = any(array(
      select ctid from payment_methods
      where detach_due_at <= (select clock_timestamp()) order by detach_due_at limit ${limit} for update skip locked
    ))
    returning ${COLUMNS}`,
});

/** The removed method of this reference that must still be detached, due or not. */
export const findMethodToDetach = statement({
  name: 'find_payment_method_to_detach',
  parameters: { organizationId: 'text', ref: 'text' },
  returns: maybeOne<MethodToDetach>(),
  sql: ({ organizationId, ref }) => `select ${COLUMNS} from payment_methods
    where organization_id = ${organizationId} and provider_ref = ${ref} and removed_at is not null
      and detach_due_at is not null limit 1`,
});

/** Notes that the provider has detached a method. */
export const updateDetachedMethod = statement({
  name: 'end_detaching_payment_method',
  parameters: { organizationId: 'text', id: 'text' },
  sql: ({ organizationId, id }) =>
    `update payment_methods set detach_due_at = null where organization_id = ${organizationId} and id = ${id}`,
});
