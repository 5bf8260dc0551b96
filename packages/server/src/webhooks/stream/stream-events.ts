import type { Queries } from '../../database/index.ts';
import { type EventRow, listMissedEvents } from '../../events/index.ts';
import { type Answer, type AuthorizedContext, httpError, invalidRequest, StreamedAnswer } from '../../http/index.ts';
import { firstIdAt, idPattern, timeOfId } from '../../ids/index.ts';
import { EventHub, type HubTools } from './event-hub.ts';
import { EventReader } from './event-reader.ts';
import { formatEvent } from './format-event.ts';
import { StreamSlots } from './stream-slots.ts';
import { LONGEST_TRANSACTION_MS } from './visibility.ts';

/** Shared by the streams of an environment. */
export interface StreamTools extends HubTools {
  hub: EventHub;
  slots: StreamSlots;
}

export function createStreamTools(tools: HubTools): StreamTools {
  return { ...tools, hub: new EventHub(tools), slots: new StreamSlots() };
}

/**
 * The organization's events as they happen, after those that the client missed since the one in Last-Event-ID. It ends
 * when the client disconnects or reads too slowly, is no longer allowed, or the process stops.
 */
export async function streamEvents(
  context: AuthorizedContext,
  tools: StreamTools,
  type: string | undefined,
): Promise<Answer<StreamedAnswer>> {
  const { principal, confirm, database } = context;
  const lastId = parseLastId(context);
  if (tools.stopping.aborted || confirm === undefined) {
    throw httpError('service_unavailable', 'The service is stopping.', { headers: { 'retry-after': '1' } });
  }
  const { organizationId } = principal;
  const reader = new EventReader({ organizationId, type, confirm }, lastId !== undefined, tools.clock.nowMs());
  const giveBack = tools.slots.take(principal.userId, tools.clock.nowMs());
  // This fires at the end of every request, even of one that never reads.
  const leave = () => {
    reader.end();
    tools.hub.leave(reader);
    giveBack();
  };
  context.whenGone().addEventListener('abort', leave, { once: true });
  return { data: new StreamedAnswer('text/event-stream', HEADERS, writeEvents()) };

  async function* writeEvents(): AsyncGenerator<string> {
    try {
      // The client gets its response when no later event can be missed.
      await tools.hub.join(reader);
      yield `retry: ${RETRY_MS}\n\n`;
      if (lastId !== undefined) {
        yield* catchUp(database, reader, lastId);
      }
      for (let text = await reader.read(); text !== undefined; text = await reader.read()) {
        yield text;
      }
    } finally {
      leave();
    }
  }
}

/** The events that the reader missed, at the pace of its client. New events wait in the reader. */
async function* catchUp(database: Queries, reader: EventReader, lastId: string): AsyncGenerator<string> {
  const { organizationId } = reader.options;
  for await (const event of readMissed(database, organizationId, lastId)) {
    if (reader.hasEnded) {
      return;
    }
    if (reader.noteCaughtUp(event)) {
      yield formatEvent(organizationId, event);
    }
  }
  reader.finishCatchingUp();
}

async function* readMissed(database: Queries, organizationId: string, lastId: string): AsyncGenerator<EventRow> {
  const sinceId = firstIdAt('event', timeOfId(lastId) - LONGEST_TRANSACTION_MS);
  for (let afterId = ''; ; ) {
    const events = await listMissedEvents(database, { organizationId, lastId, sinceId, afterId, limit: PORTION });
    yield* events;
    if (events.length < PORTION) {
      return;
    }
    afterId = events.at(-1)?.id ?? afterId;
  }
}

function parseLastId({ headers }: AuthorizedContext): string | undefined {
  const lastId = headers['last-event-id'];
  if (lastId === undefined || lastId === '') {
    return undefined;
  }
  if (typeof lastId !== 'string' || !EVENT_ID.test(lastId)) {
    throw invalidRequest('Last-Event-ID', 'format', 'Last-Event-ID must be the ID of an event.');
  }
  return lastId;
}

const EVENT_ID = new RegExp(idPattern('event'));
const PORTION = 200;
/** How long a browser waits before it reconnects. */
const RETRY_MS = 2_000;
/** Proxies must forward each event immediately. */
const HEADERS = { 'x-accel-buffering': 'no' };
