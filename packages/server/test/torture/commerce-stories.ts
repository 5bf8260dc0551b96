import type { Customer } from './commerce-customer.ts';

// The events about a customer's money and license, in the order of `GET /v1/events?sort=created`.

/** The types of a customer's events, except those about individual seats. */
export async function storyOf(customer: Customer): Promise<string[]> {
  return (await customer.events()).map(({ type }) => type).filter((type) => !type.startsWith('license.seat'));
}

const BOUGHT = ['payment_method.attached', 'subscription.created', 'invoice.created'];
/** An invoice is issued and paid, and then takes effect. */
const GROWN = ['invoice.created', 'invoice.paid', 'subscription.updated'];
const SHRUNK = ['subscription.updated'];
/** The period begins on time, whenever its invoice is paid. */
const RENEWED = ['invoice.created', 'subscription.updated', 'invoice.paid'];
const CANCELED = ['subscription.canceled'];
const RESUMED = ['subscription.updated'];
const DECLINED = ['invoice.payment_failed'];
const OVER = ['subscription.expired', 'license.expired'];

/** Ten seats, five more, three back, eight more on credit, twelve back, a renewal, the end. */
export const STORY_OF_GROWTH: readonly string[] = [
  ...BOUGHT,
  'invoice.paid',
  ...GROWN,
  ...SHRUNK,
  ...GROWN,
  ...SHRUNK,
  ...RENEWED,
  ...CANCELED,
  ...RESUMED,
  ...CANCELED,
  'license.expiring',
  ...OVER,
];

/** A renewal and its four retries are declined. A week before the last, the license is about to expire. */
export const STORY_OF_NONPAYMENT: readonly string[] = [
  ...BOUGHT,
  'invoice.paid',
  'invoice.created',
  'subscription.updated',
  ...DECLINED,
  'subscription.updated',
  ...DECLINED,
  ...DECLINED,
  ...DECLINED,
  'license.expiring',
  ...DECLINED,
  ...OVER,
];

/** Incomplete until authenticated, a change that waits for authentication too, and three renewals. */
export const STORY_OF_AUTHENTICATION: readonly string[] = [
  ...BOUGHT,
  'invoice.paid',
  'subscription.updated',
  'invoice.created',
  'subscription.updated',
  'invoice.paid',
  'subscription.updated',
  ...RENEWED,
  ...RENEWED,
  ...RENEWED,
];
