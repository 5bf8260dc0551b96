import { newId } from '../../ids/index.ts';
import { wantsEvent } from '../subscription-rules.ts';
import { type Delivering, type EndpointKey, keyOf } from './delivering.ts';
import {
  deleteUnsentEvents,
  insertDeliveries,
  listSubscribers,
  listWaitingOrganizations,
  lockUnsentEvents,
  type SubscriberRow,
  type UnsentEventRow,
} from './fan-out-queries.ts';
import { listEndpointStatuses, wakeEndpoints } from './state-queries.ts';

/**
 * Makes one delivery of each waiting event for each endpoint that wants it; held where the endpoint is paused or disabled.
 * It waits for nobody's lock: an endpoint that is busy is woken in the next round, and until then its events stay. A delivery
 * is unique for its event and endpoint, so run again, or by two processes, this makes none twice and leaves none out.
 */
export class FanOut {
  readonly #delivering: Delivering;
  /** The organization that was served last: the next round goes on after it, so that no burst keeps others waiting. */
  #after = '';

  constructor(delivering: Delivering) {
    this.#delivering = delivering;
  }

  /** Does one bounded portion; answers whether there may be more. */
  async run(): Promise<boolean> {
    const { database, announced, due, log } = this.#delivering;
    const organizations = await listWaitingOrganizations(database, this.#after, MOST_ORGANIZATIONS);
    if (organizations.length === 0) {
      const hasPassedSome = this.#after !== '';
      this.#after = '';
      return hasPassedSome;
    }
    this.#after = organizations.length < MOST_ORGANIZATIONS ? '' : (organizations.at(-1) ?? '');
    const counts = await fanOutPortion(this.#delivering, organizations);
    if (counts.deliveries > 0) {
      log.debug(counts, 'events were fanned out');
      due.swift.ring();
      due.cautious.ring();
    }
    if (counts.left > 0 && counts.done === 0) {
      setTimeout(() => announced.ring(), BUSY_MS).unref();
      return false;
    }
    return counts.left > 0 || counts.done >= PORTION || this.#after !== '';
  }
}

const MOST_ORGANIZATIONS = 100;
const PORTION = 200;
/** Bounds a portion where each event goes to many endpoints. */
const MOST_DELIVERIES = 2_000;
/** About as long as an endpoint's lock is held. */
const BUSY_MS = 10;

async function fanOutPortion({ database }: Delivering, organizations: readonly string[]) {
  return database.transaction(async (tx) => {
    const events = await lockUnsentEvents(tx, organizations, Math.ceil(PORTION / organizations.length));
    const subscribers = await listSubscribers(tx, organizations);
    const { taken, wanted } = match(inTurns(events), subscribers);
    const keys = [...new Map(wanted.map(({ subscriber }) => [keyOf(subscriber), subscriber])).values()];
    const statuses = await listEndpointStatuses(tx, keys);
    const deliveries = wanted.flatMap(({ event, subscriber }) => {
      const status = statuses.get(keyOf(subscriber));
      return status === undefined ? [] : [{ ...newDelivery(event, subscriber), isPlanned: status === 'active' }];
    });
    await insertDeliveries(tx, deliveries);
    const planned = deliveries.filter((each) => each.isPlanned);
    const woken = new Set((await wakeEndpoints(tx, earliest(planned))).map(keyOf));
    const busy = new Set(planned.filter((each) => !woken.has(keyOf(each))).map((each) => each.eventId));
    const done = taken.filter((each) => !busy.has(each.event_id));
    await deleteUnsentEvents(tx, done);
    return { deliveries: deliveries.length, done: done.length, left: events.length - done.length };
  });
}

/** One of each organization, then the second of each, and so on: what is cut off is cut off alike. */
function inTurns(events: readonly UnsentEventRow[]): UnsentEventRow[] {
  const queues = [...Map.groupBy(events, (each) => each.organization_id).values()];
  const longest = Math.max(0, ...queues.map((each) => each.length));
  return Array.from({ length: longest }, (_, place) => queues.flatMap((queue) => queue.slice(place, place + 1))).flat();
}

interface KeptEvent extends UnsentEventRow {
  type: string;
  created: Date;
}

/** An endpoint gets the events created after it. */
function match(events: readonly UnsentEventRow[], subscribers: readonly SubscriberRow[]) {
  const byOrganization = Map.groupBy(subscribers, (each) => each.organization_id);
  const taken: UnsentEventRow[] = [];
  const wanted: Array<{ event: KeptEvent; subscriber: SubscriberRow }> = [];
  for (const { type, created, ...rest } of events) {
    if (wanted.length >= MOST_DELIVERIES) {
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
    eventId: event.event_id,
    eventType: event.type,
    createdAt: event.created,
    announcedAt: event.announced_at,
    attemptId: newId('attempt'),
  };
}

/** For each endpoint the time since which the first of its deliveries is due. */
function earliest(deliveries: ReadonlyArray<EndpointKey & { announcedAt: Date }>) {
  return [...Map.groupBy(deliveries, keyOf).values()].flatMap((each) => {
    const [first] = each.toSorted((one, other) => one.announcedAt.getTime() - other.announcedAt.getTime());
    return first === undefined ? [] : [first];
  });
}
