import { newId } from '../../ids/index.ts';
import { wantsEvent } from '../subscription-rules.ts';
import { type Delivering, keyOf } from './delivering.ts';
import {
  insertDeliveries,
  listSubscribers,
  type NewDelivery,
  type SubscriberRow,
  takeUnsentEvents,
  type UnsentEventRow,
} from './fan-out-queries.ts';
import { lockEndpointStates } from './state-queries.ts';

/**
 * Makes one delivery of each waiting event for each endpoint that wants it; held where the endpoint is paused or disabled.
 * All in one transaction, and a delivery is unique for its event and endpoint: run again, or by two processes, it makes none
 * twice and leaves none out. Answers whether there may be more.
 */
export async function fanOutEvents({ database, due, log }: Delivering): Promise<boolean> {
  const taken = await database.transaction(async (tx) => {
    const events = await takeUnsentEvents(tx, PORTION);
    const organizations = new Set(events.map((each) => each.organization_id));
    const subscribers = organizations.size === 0 ? [] : await listSubscribers(tx, [...organizations]);
    const wanted = match(events, subscribers);
    if (wanted.length > 0) {
      const keys = new Map(wanted.map(({ subscriber }) => [keyOf(subscriber), subscriber]));
      const states = await lockEndpointStates(tx, [...keys.values()]);
      const statuses = new Map(states.map((each) => [keyOf(each), each.status]));
      const deliveries = wanted.flatMap(({ event, subscriber }) => {
        const status = statuses.get(keyOf(subscriber));
        return status === undefined ? [] : [newDelivery(event, subscriber, status === 'active')];
      });
      await insertDeliveries(tx, deliveries);
    }
    return { events: events.length, deliveries: wanted.length };
  });
  if (taken.deliveries > 0) {
    log.debug(taken, 'events were fanned out');
    due.swift.ring();
    due.cautious.ring();
  }
  return taken.events >= PORTION;
}

/** At fifty endpoints each, which is the most, ten thousand deliveries. */
const PORTION = 200;

/** An endpoint gets the events created after it. */
function match(events: readonly UnsentEventRow[], subscribers: readonly SubscriberRow[]) {
  const byOrganization = Map.groupBy(subscribers, (each) => each.organization_id);
  return events.flatMap((event) =>
    (byOrganization.get(event.organization_id) ?? [])
      .filter((each) => each.created_at <= event.created && wantsEvent(each.events, event.type))
      .map((subscriber) => ({ event, subscriber })),
  );
}

function newDelivery(event: UnsentEventRow, subscriber: SubscriberRow, isPlanned: boolean): NewDelivery {
  return {
    organization_id: subscriber.organization_id,
    endpoint_id: subscriber.endpoint_id,
    id: newId('delivery'),
    eventId: event.event_id,
    eventType: event.type,
    createdAt: event.created,
    announcedAt: event.announced_at,
    attemptId: newId('attempt'),
    isPlanned,
  };
}
