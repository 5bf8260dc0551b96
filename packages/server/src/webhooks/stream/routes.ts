import { Type } from 'typebox';
import type { EventDefinition } from '../../events/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, invalidRequest, type Route } from '../../http/index.ts';
import { EXAMPLE_EVENT, exampleEvent } from '../events/event-schema.ts';
import { type StreamTools, streamEvents } from './stream-events.ts';

/** The endpoint that streams events as they happen. */
export function streamRoutes(tools: StreamTools, catalogue: readonly EventDefinition[]): Route[] {
  const types = new Set(catalogue.map((each) => each.type));
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/events/stream',
      operationId: 'streamEvents',
      tag: 'Events',
      summary: 'Stream events',
      description:
        'Sends events within a second, as Server-Sent Events: `id` is the event ID, `event` its type, and `data` the event as GET /v1/events/{event_id} returns it. A client that reconnects with the header Last-Event-ID gets what it missed. Events can be repeated and arrive out of order, so use the ID to detect duplicates. A user can have 20 streams.',
      access: ACCESS.readEvents,
      staysOpen: true,
      query: Type.Object({ type: Type.Optional(Type.String({ description: 'Only events of this type.' })) }),
      status: 200,
      raw: 'text/event-stream',
      response: Type.String(),
      example: {
        data: `id: ${EXAMPLE_EVENT.id}\nevent: ${EXAMPLE_EVENT.type}\ndata: ${JSON.stringify(exampleEvent(catalogue))}\n\n`,
      },
      errors: { service_unavailable: HTTP_ERRORS.service_unavailable },
      handle: async (context, { query: { type } }) => {
        if (type !== undefined && !types.has(type)) {
          throw invalidRequest('type', 'enum', 'type must be the type of an event. See GET /v1/event-types.');
        }
        return streamEvents(context, tools, type);
      },
    }),
  ];
}
