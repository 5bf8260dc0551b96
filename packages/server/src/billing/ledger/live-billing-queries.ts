import { count, exists, one, type Queries, statement } from '../../database/index.ts';
import { lockAccount } from '../accounts/queries.ts';

/**
 * Whether an organization has a subscription that has not ended, or a payment in flight. Its account is locked until
 * the transaction ends, so that neither begins in the meantime.
 */
export async function hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean> {
  // Created if there is none, so that a first purchase waits for this decision.
  await lockAccount(tx, organizationId);
  return (await findLiveBilling(tx, { organizationId })).is_live;
}

const findLiveBilling = statement({
  name: 'find_live_billing',
  parameters: { organizationId: 'text' },
  returns: one<{ is_live: boolean }>(),
  sql: ({ organizationId }) => `select
      exists (select from subscriptions where organization_id = ${organizationId} and next_action_at is not null)
      or exists (select from payments where organization_id = ${organizationId} and settled_at is null) as is_live`,
});

/**
 * Deletes the live subscriptions and unsettled payments of an abandoned organization of the sandbox, in the transaction
 * that deletes it: nothing is renewed or looked up afterwards.
 */
export async function discardLiveBilling(tx: Queries, organizationId: string): Promise<void> {
  await lockAccount(tx, organizationId);
  await deleteLivePayments(tx, { organizationId });
  await deleteLiveSubscriptions(tx, { organizationId });
}

/** Whether an organization has books. */
export async function hasBooks(database: Queries, organizationId: string): Promise<boolean> {
  return findBooks(database, { organizationId });
}

const findBooks = statement({
  name: 'find_books',
  parameters: { organizationId: 'text' },
  returns: exists(),
  sql: ({ organizationId }) => `select organization_id from billing_accounts where organization_id = ${organizationId}`,
});

/** Releases a redemption of the coupon for each of the rows `gone` that counts as one. */
const releaseRedemptions = (counts: string) => `released as (
      update coupons c set redemptions = c.redemptions - g.n
      from (select coupon_id, count(*)::integer as n from gone where coupon_id is not null and ${counts} group by 1) g
      where c.id = g.coupon_id
    )`;
const IS_REDEEMED = '(ended_at is null or license_id is not null)';

/** Deletes at most `limit` subscriptions of a deleted organization; counts them. */
export const deleteSubscriptionsOfOrganization = statement({
  name: 'delete_subscriptions_of_organization',
  parameters: { organizationId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, limit }) => `
    with d as materialized (
      select id from subscriptions where organization_id = ${organizationId} limit ${limit}
    ), gone as (
      delete from subscriptions s using d where s.organization_id = ${organizationId} and s.id = d.id
      returning s.coupon_id, s.ended_at, s.license_id
    ), ${releaseRedemptions(IS_REDEEMED)}
    select 1 as gone from gone`,
});

const deleteLiveSubscriptions = statement({
  name: 'delete_live_subscriptions',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `with gone as (
      delete from subscriptions where organization_id = ${organizationId} and next_action_at is not null
      returning coupon_id, ended_at, license_id
    ), ${releaseRedemptions(IS_REDEEMED)}
    select count(*) from gone`,
});

const deleteLivePayments = statement({
  name: 'delete_live_payments',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `with gone as (
      delete from payments where organization_id = ${organizationId} and settled_at is null
      returning intent ->> 'couponId' as coupon_id, invoice_id
    ), ${releaseRedemptions('invoice_id is null')}
    select count(*) from gone`,
});
