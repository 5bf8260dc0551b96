import type { LiveEvent } from './live-event.ts';

type Key = readonly unknown[];

/** For each area of query keys: which events change what it shows. */
const AREAS: Readonly<Record<string, (event: LiveEvent, key: Key) => boolean>> = {
  licenses: (event, key) => event.type.startsWith('license.') && mayShow(event, key[1], 'lic_'),
  subscriptions: (event, key) => event.type.startsWith('subscription.') && mayShow(event, key[1], 'sub_'),
  invoices: (event, key) => event.type.startsWith('invoice.') && mayShow(event, key[1], 'inv_'),
  'payment-methods': ({ type }) => type.startsWith('payment_method.'),
  'credit-balance': ({ type }) => /^(credit|payment|invoice|subscription)\./.test(type),
  usage: ({ type }) => /^(license|subscription)\./.test(type),
  members: ({ type }) => /^org\.member\.(joined|removed|role_changed)$/.test(type),
  invitations: ({ type }) => /^org\.member\.(invited|joined)$/.test(type),
  organization: ({ type }) => type.startsWith('org.'),
  'quick-start': ({ type }) => type.startsWith('license.'),
  events: ({ type }, key) => key[1] === 'recent' || (key[1] === 'list' && (key[2] === undefined || key[2] === type)),
  // Every event may be delivered, which changes the endpoint's statistics and deliveries, but not lists of endpoints.
  webhooks: (_, key) => key.length > 1 && key[1] !== 'choices' && key[2] !== 'replays',
};

/** Whether an event changes what the query with this key shows. */
export function isConcerned(event: LiveEvent, key: Key): boolean {
  return AREAS[String(key[0])]?.(event, key) ?? false;
}

/** Whether a query is kept up to date by events at all. */
export function isLiveQuery(key: Key): boolean {
  return Object.hasOwn(AREAS, String(key[0]));
}

/** Lists concern every resource; a query for one resource only that one. */
function mayShow({ ids }: LiveEvent, name: unknown, prefix: string): boolean {
  return typeof name !== 'string' || !name.startsWith(prefix) || ids.includes(name);
}
