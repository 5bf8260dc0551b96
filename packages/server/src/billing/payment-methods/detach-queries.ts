import type { Queries, Statement } from '../../database/index.ts';

/** A removed method that the provider is still to untie. */
export interface MethodToDetach {
  organization_id: string;
  id: string;
  provider: 'test' | 'stripe';
  provider_ref: string;
  customer_ref: string;
}

/** Takes removed methods whose time has come, for as long as an answer may take; each try waits longer than the last. */
export async function takeMethodsToDetach(db: Queries, limit: number): Promise<MethodToDetach[]> {
  return db.query(TAKE_METHODS_TO_DETACH, [limit]);
}

/** The removed method of this reference that is still to be untied, whether its time has come or not. */
export async function findMethodToDetach(
  db: Queries,
  organizationId: string,
  ref: string,
): Promise<MethodToDetach | undefined> {
  return (await db.query(FIND_METHOD_TO_DETACH, [organizationId, ref]))[0];
}

/** Notes that the provider has untied it. */
export async function endDetaching(db: Queries, method: MethodToDetach): Promise<void> {
  await db.query(END_DETACHING, [method.organization_id, method.id]);
}

const COLUMNS = 'organization_id, id, provider, provider_ref, customer_ref';

/** Conditional on the time read, so that of several processes one takes each: the row as it is now no longer fits. */
const TAKE_METHODS_TO_DETACH: Statement<MethodToDetach> = {
  name: 'take_payment_methods_to_detach',
  text: `update payment_methods set detach_tries = detach_tries + 1,
      detach_due_at = clock_timestamp() + least(60 * power(2, least(detach_tries, 10)), 21600) * interval '1 second'
    where ctid = any(array(
      select ctid from payment_methods
      where detach_due_at <= (select clock_timestamp()) order by detach_due_at limit $1 for update skip locked
    ))
    returning ${COLUMNS}`,
};

const FIND_METHOD_TO_DETACH: Statement<MethodToDetach> = {
  name: 'find_payment_method_to_detach',
  text: `select ${COLUMNS} from payment_methods
    where organization_id = $1 and provider_ref = $2 and removed_at is not null and detach_due_at is not null limit 1`,
};

const END_DETACHING: Statement<never> = {
  name: 'end_detaching_payment_method',
  text: 'update payment_methods set detach_due_at = null where organization_id = $1 and id = $2',
};
