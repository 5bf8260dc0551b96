import { newId } from '../../ids/index.ts';
import { columnsOf, type EndpointKey, keyOf } from '../endpoint-state/endpoint-key.ts';
import { ringBothLanes } from '../endpoint-state/lanes.ts';
import { mapEndpointStatuses, updateEndpointsDue } from '../endpoint-state/state-queries.ts';
import { wantsEvent } from '../events/subscription-rules.ts';
import type { Deliverer } from './deliver-due.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import {
  deleteUnsentEvents,
  insertDeliveries,
  lockUnsentEvents,
  updateUnsentEventsPlanned,
} from './fan-out-queries.ts';
import { gatherRecipients, type Recipient, sortEvents, takeEvents } from './take-events.ts';
import { listRecipients, type RecipientRow, type UnsentEventRow } from './take-queries.ts';
import { UnsentWalk } from './unsent-walk.ts';

/**
 * Fans out events. Those for healthy endpoints are taken, and their attempts begin immediately. For all others, one
 * delivery is created per subscribed endpoint: planned, or held if the endpoint is paused or disabled. It never waits
 * for a lock: a busy endpoint is woken in the next round, and its events stay until then. A delivery is unique for its
 * event and endpoint, so a second run or process neither duplicates nor misses any.
 */
export class FanOut {
  readonly #tools: DeliveryTools;
  readonly #deliverer: Deliverer;
  readonly #walk: UnsentWalk;

  constructor(tools: DeliveryTools, deliverer: Deliverer) {
    this.#tools = tools;
    this.#deliverer = deliverer;
    this.#walk = new UnsentWalk(tools.database);
  }

  /** Processes one bounded portion; returns whether there may be more. */
  async run(): Promise<boolean> {
    const { database, announced, clock, due, log } = this.#tools;
    const events = await this.#walk.read();
    if (events.length === 0) {
      return this.#walk.hasMore(false);
    }
    const rows = await listRecipients(database, { organizationIds: organizationsOf(events) });
    const now = rows[0]?.now ?? new Date(clock.nowMs());
    const recipients = gatherRecipients(rows, (ofEndpoint) =>
      this.#deliverer.signingKeys.get(secretsOf(ofEndpoint, now)),
    );
    const { taken, attempts, planned, left } = sortEvents(this.#deliverer, events, recipients);
    if (taken.length > 0) {
      await takeEvents(this.#tools, this.#deliverer, { taken, attempts }, now.getTime());
    }
    const counts = await fanOutPortion(this.#tools, planned, recipients);
    if (counts.deliveries > 0) {
      log.debug(counts, 'events were fanned out');
      ringBothLanes(due);
    }
    if (left > 0) {
      this.#deliverer.awaitCapacity();
    }
    const isBusy = counts.done < planned.length;
    const hasProgressed = taken.length + counts.done > 0;
    if (isBusy && !hasProgressed) {
      setTimeout(() => announced.ring(), BUSY_MS).unref();
    }
    return this.#walk.hasMore(hasProgressed) || (isBusy && hasProgressed);
  }
}

/** Bounds a portion when each event goes to many endpoints. */
const MAX_DELIVERIES = 2_000;
/** About as long as an endpoint's lock is held. */
const BUSY_MS = 10;

function organizationsOf(events: readonly UnsentEventRow[]): string[] {
  return [...new Set(events.map((each) => each.organization_id))];
}

/** The secrets that sign at this time. */
function secretsOf(rows: readonly RecipientRow[], now: Date) {
  return rows.flatMap(({ endpoint_id, secret_id, secret, ends_at: endsAt }) =>
    secret_id === null || secret === null || (endsAt !== null && endsAt <= now)
      ? []
      : [{ endpoint_id, secret_id, secret, is_current: endsAt === null }],
  );
}

async function fanOutPortion(
  { database }: DeliveryTools,
  waiting: readonly UnsentEventRow[],
  recipients: readonly Recipient[],
): Promise<{ deliveries: number; done: number }> {
  if (waiting.length === 0) {
    return { deliveries: 0, done: 0 };
  }
  return database.transaction(async (tx) => {
    const events = await lockUnsentEvents(tx, { ...keysOf(waiting), organizationIds: organizationsOf(waiting) });
    const { taken, wanted } = match(events, recipients);
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
    const [left, done] = [
      taken.filter((each) => busy.has(each.event_id)),
      taken.filter((each) => !busy.has(each.event_id)),
    ];
    await deleteUnsentEvents(tx, keysOf(done));
    if (left.length > 0) {
      await updateUnsentEventsPlanned(tx, keysOf(left));
    }
    return { deliveries: deliveries.length, done: done.length };
  });
}

type LockedEvent = Omit<UnsentEventRow, 'object' | 'is_planned'>;

const keysOf = (events: readonly LockedEvent[]) => ({
  organizationIds: events.map((each) => each.organization_id),
  eventIds: events.map((each) => each.event_id),
});

interface KeptEvent extends LockedEvent {
  type: string;
  created: Date;
}

/** An endpoint gets the events that were created after it. */
function match(events: readonly LockedEvent[], subscribers: readonly Recipient[]) {
  const byOrganization = Map.groupBy(subscribers, (each) => each.organization_id);
  const taken: LockedEvent[] = [];
  const wanted: Array<{ event: KeptEvent; subscriber: Recipient }> = [];
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

function newDelivery(event: KeptEvent, subscriber: Recipient) {
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
