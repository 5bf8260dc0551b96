import { newId } from '../../ids/index.ts';
import { columnsOf, type EndpointKey, keyOf } from '../endpoint-state/endpoint-key.ts';
import { ringBothLanes } from '../endpoint-state/lanes.ts';
import { mapEndpointStatuses, updateEndpointsDue } from '../endpoint-state/state-queries.ts';
import { wantsEvent } from '../events/subscription-rules.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import {
  deleteUnsentEvents,
  insertDeliveries,
  listSubscribers,
  listWaitingOrganizations,
  lockUnsentEvents,
  type SubscriberRow,
  type UnsentEventRow,
} from './fan-out-queries.ts';

/**
 * Makes one delivery of each waiting event for each endpoint that wants it; held if the endpoint is paused or disabled. It waits
 * for no lock: an endpoint that is busy is woken in the next round, and until then its events stay. A delivery is unique for its
 * event and endpoint, so a second run, or a second process, duplicates none and misses none.
 */
export class FanOut {
  readonly #tools: DeliveryTools;
  /** The organization that was served last: the next round continues after it, so that no burst keeps others waiting. */
  #after = '';

  constructor(tools: DeliveryTools) {
    this.#tools = tools;
  }

  /** Does one bounded portion; returns whether there may be more. */
  async run(): Promise<boolean> {
    const { database, announced, due, log } = this.#tools;
    const waiting = await listWaitingOrganizations(database, { after: this.#after, limit: MAX_ORGANIZATIONS });
    const organizationIds = waiting.map((each) => each.organization_id);
    if (organizationIds.length === 0) {
      const hasSkippedSome = this.#after !== '';
      this.#after = '';
      return hasSkippedSome;
    }
    this.#after = organizationIds.length < MAX_ORGANIZATIONS ? '' : (organizationIds.at(-1) ?? '');
    const counts = await fanOutPortion(this.#tools, organizationIds);
    if (counts.deliveries > 0) {
      log.debug(counts, 'events were fanned out');
      ringBothLanes(due);
    }
    if (counts.left > 0 && counts.done === 0) {
      setTimeout(() => announced.ring(), BUSY_MS).unref();
      return false;
    }
    return counts.left > 0 || counts.done >= PORTION || this.#after !== '';
  }
}

const MAX_ORGANIZATIONS = 100;
const PORTION = 200;
/** Bounds a portion when each event goes to many endpoints. */
const MAX_DELIVERIES = 2_000;
/** About as long as an endpoint's lock is held. */
const BUSY_MS = 10;

async function fanOutPortion({ database }: DeliveryTools, organizationIds: readonly string[]) {
  return database.transaction(async (tx) => {
    const limit = Math.ceil(PORTION / organizationIds.length);
    const events = await lockUnsentEvents(tx, { organizationIds, limit });
    const subscribers = await listSubscribers(tx, { organizationIds });
    const { taken, wanted } = match(interleave(events), subscribers);
    const keys = [...new Map(wanted.map(({ subscriber }) => [keyOf(subscriber), subscriber])).values()];
    const statuses = await mapEndpointStatuses(tx, keys);
    const deliveries = wanted.flatMap(({ event, subscriber }) => {
      const status = statuses.get(keyOf(subscriber));
      return status === undefined ? [] : [{ ...newDelivery(event, subscriber), is_planned: status === 'active' }];
    });
    await insertDeliveries(tx, { deliveries });
    const planned = deliveries.filter((each) => each.is_planned);
    const first = firstOfEachEndpoint(planned);
    const dueTimes = first.map((each) => each.announced_at);
    const woken = new Set((await updateEndpointsDue(tx, { ...columnsOf(first), dueTimes })).map(keyOf));
    const busy = new Set(planned.filter((each) => !woken.has(keyOf(each))).map((each) => each.event_id));
    const done = taken.filter((each) => !busy.has(each.event_id));
    await deleteUnsentEvents(tx, {
      organizationIds: done.map((each) => each.organization_id),
      eventIds: done.map((each) => each.event_id),
    });
    return { deliveries: deliveries.length, done: done.length, left: events.length - done.length };
  });
}

/** The first event of each organization, then the second of each, and so on, so that a cut affects all alike. */
function interleave(events: readonly UnsentEventRow[]): UnsentEventRow[] {
  const queues = [...Map.groupBy(events, (each) => each.organization_id).values()];
  const longest = Math.max(0, ...queues.map((each) => each.length));
  return Array.from({ length: longest }, (_, place) => queues.flatMap((queue) => queue.slice(place, place + 1))).flat();
}

interface KeptEvent extends UnsentEventRow {
  type: string;
  created: Date;
}

/** An endpoint gets the events that were created after it. */
function match(events: readonly UnsentEventRow[], subscribers: readonly SubscriberRow[]) {
  const byOrganization = Map.groupBy(subscribers, (each) => each.organization_id);
  const taken: UnsentEventRow[] = [];
  const wanted: Array<{ event: KeptEvent; subscriber: SubscriberRow }> = [];
  for (const { type, created, ...rest } of events) {
    if (wanted.length >= MAX_DELIVERIES) {
      break;
    }
    taken.push({ ...rest, type, created });
    if (type !== null && created !== null) {
      const wanting = (byOrganization.get(rest.organization_id) ?? []).filter(
        (each) => each.created_at <= created && wantsEvent(each.events, type),
      );
      wanted.push(...wanting.map((subscriber) => ({ event: { ...rest, type, created }, subscriber })));
    }
  }
  return { taken, wanted };
}

function newDelivery(event: KeptEvent, subscriber: SubscriberRow) {
  return {
    organization_id: subscriber.organization_id,
    endpoint_id: subscriber.endpoint_id,
    id: newId('delivery'),
    event_id: event.event_id,
    event_type: event.type,
    created_at: event.created,
    announced_at: event.announced_at,
    attempt_id: newId('attempt'),
  };
}

/** For each endpoint the delivery that is due first. */
function firstOfEachEndpoint<Planned extends EndpointKey & { announced_at: Date }>(deliveries: readonly Planned[]) {
  return [...Map.groupBy(deliveries, keyOf).values()].flatMap((each) => {
    const [first] = each.toSorted((one, other) => one.announced_at.getTime() - other.announced_at.getTime());
    return first === undefined ? [] : [first];
  });
}
