import { type Event, verifyWebhook } from '@seathold/client';
import Stripe from 'stripe';
import { expect } from 'vitest';
import type { Behavior, Received, WebhookReceiver } from '../harness/webhook-receiver.ts';
import type { Customer } from './commerce-customer.ts';

/** An endpoint that a customer created, and the path on the receiver that it points to. */
export interface Endpoint {
  id: string;
  secret: string;
  path: string;
}

/** Opens an endpoint that sends these events to a customer, at its own path. */
export async function openEndpointFor(
  customer: Customer,
  receiver: WebhookReceiver,
  path: string,
  events: string[],
): Promise<Endpoint> {
  const { id, secret } = await customer.seathold.webhooks.create({ url: receiver.url(path), events });
  return { id, secret: secret ?? '', path };
}

/**
 * Behaves like a server that fails twice with each event before it accepts it, at these paths. At other paths it never
 * fails.
 */
export function failsTwiceAt(failingPaths: readonly string[]): Behavior {
  const tries = new Map<string, number>();
  return ({ path, event }, response) => {
    const key = `${path} ${event.id}`;
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    response.writeHead(failingPaths.includes(path) && count <= 2 ? 500 : 200).end();
  };
}

/**
 * Compares what arrived at an endpoint for `*` with the API's events: every event arrived as listed, nothing else did,
 * every request was signed, and events that are a minute or more apart arrived in order.
 */
export async function requireAllDelivered(customer: Customer, endpoint: Endpoint, receiver: WebhookReceiver) {
  const events = await customer.events();
  const arrived = () => receiver.received.filter(({ path }) => path === endpoint.path);
  const idsOf = (all: ReadonlyArray<{ id: string }>) => all.map(({ id }) => id).toSorted();
  await expect.poll(() => idsOf(firstOfEach(arrived())), { interval: 50 }).toEqual(idsOf(events));
  const listed = new Map(events.map((event) => [event.id, event]));
  for (const { body, headers, event } of arrived()) {
    const verified = await verifyWebhook(body, headers, endpoint.secret);
    const byStripe = Stripe.webhooks.constructEvent(body, String(headers['x-service-signature']), endpoint.secret);
    expect([verified, byStripe, event]).toEqual(Array.from({ length: 3 }, () => listed.get(event.id)));
  }
  const times = firstOfEach(arrived()).map(({ created }) => Date.parse(created));
  const overtaken = times.filter((time, place) => time < Math.max(...times.slice(0, place)) - MINUTE_MS);
  expect(overtaken).toEqual([]);
}

const MINUTE_MS = 60_000;

function firstOfEach(received: readonly Received[]): Event[] {
  const byId = new Map<string, Event>();
  for (const { event } of received) {
    byId.set(event.id, byId.get(event.id) ?? event);
  }
  return [...byId.values()];
}

/**
 * Checks the deliveries to an endpoint that fails twice: each succeeded at its third attempt. The second attempt came a
 * minute after the first had ended, and the third five minutes after the second, by the organization's clock. Returns
 * how many there were.
 */
export async function requireRetriedInTime({ seathold }: Customer, { id }: Endpoint): Promise<number> {
  const { data: deliveries } = await seathold.webhooks.listDeliveries(id, { limit: 100 });
  for (const { id: deliveryId } of deliveries) {
    const { status, attempts } = await seathold.webhooks.getDelivery(id, deliveryId);
    expect([status, attempts.map((each) => each.status_code)]).toEqual(['succeeded', [500, 500, 200]]);
    const gaps = attempts
      .slice(1)
      .map(({ at }, place) => Date.parse(at) - endOf(attempts[place]) - (DELAYS_MS[place] ?? 0));
    expect(gaps.filter((lateMs) => lateMs < -MARGIN_MS || lateMs > LATE_MS)).toEqual([]);
  }
  return deliveries.length;
}

/** The first delays of the default schedule. */
const DELAYS_MS = [60_000, 300_000];
const MARGIN_MS = 5;
const LATE_MS = 20_000;

function endOf(attempt: { at: string; duration_ms: number } | undefined): number {
  return Date.parse(attempt?.at ?? '') + (attempt?.duration_ms ?? 0);
}
