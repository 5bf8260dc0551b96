import { count, type Queries, type Statement, statement } from '../../database/index.ts';
import { lockAccount } from '../accounts/queries.ts';

/**
 * Whether an organization has a subscription that has not ended, or a payment under way. Its account is locked until the
 * transaction ends, so that neither begins meanwhile.
 */
export async function hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean> {
  // Made where there is none, so that a first purchase waits for what is decided here.
  await lockAccount(tx, organizationId);
  return (await tx.query(FIND_LIVE_BILLING, [organizationId]))[0]?.is_live === true;
}

/**
 * Forgets what lives of an organization's play money, in the transaction that deletes an abandoned organization of the sandbox:
 * nothing is renewed or looked up afterwards. Its account is locked.
 */
export async function discardLiveBilling(tx: Queries, organizationId: string): Promise<void> {
  await lockAccount(tx, organizationId);
  await tx.query(DELETE_LIVE_PAYMENTS, [organizationId]);
  await tx.query(DELETE_LIVE_SUBSCRIPTIONS, [organizationId]);
}

/** Whether there are books of an organization. */
export async function hasBooks(database: Queries, organizationId: string): Promise<boolean> {
  return (await database.query(FIND_BOOKS, [organizationId])).length > 0;
}

/** A redemption is given back for each of the rows `gone` that counts as one. */
const giveBack = (counts: string) => `back as (
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
    ), ${giveBack(IS_REDEEMED)}
    select 1 as gone from gone`,
});

const DELETE_LIVE_SUBSCRIPTIONS: Statement<never> = {
  name: 'delete_live_subscriptions',
  text: `with gone as (
      delete from subscriptions where organization_id = $1 and next_action_at is not null
      returning coupon_id, ended_at, license_id
    ), ${giveBack(IS_REDEEMED)}
    select count(*) from gone`,
};

const DELETE_LIVE_PAYMENTS: Statement<never> = {
  name: 'delete_live_payments',
  text: `with gone as (
      delete from payments where organization_id = $1 and settled_at is null
      returning intent ->> 'couponId' as coupon_id, invoice_id
    ), ${giveBack('invoice_id is null')}
    select count(*) from gone`,
};

const FIND_BOOKS: Statement<{ organization_id: string }> = {
  name: 'find_books',
  text: 'select organization_id from billing_accounts where organization_id = $1',
};

const FIND_LIVE_BILLING: Statement<{ is_live: boolean }> = {
  name: 'find_live_billing',
  text: `select exists (select from subscriptions where organization_id = $1 and next_action_at is not null)
    or exists (select from payments where organization_id = $1 and settled_at is null) as is_live`,
};
