import { Type } from 'typebox';
import type { EventDefinition } from '../events/index.ts';
import { ACCESS, defineRoute, type Route } from '../http/index.ts';
import { Event, exampleEvent } from './event-schema.ts';
import { readEvent, readEvents, readEventTypes } from './read-events.ts';

const EventType = Type.Object(
  {
    type: Type.String(),
    description: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of data.object.' }),
    example: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'EventType' },
);

const Time = { kind: 'time' } as const;

/** The events that the outbox keeps, and the catalogue of their types. */
export function eventRoutes(catalogue: readonly EventDefinition[]): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/events',
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      access: ACCESS.readEvents,
      list: {
        defaultSort: '-created',
        sorts: { created: 'time' },
        filters: {
          type: { kind: 'enum', values: catalogue.map((each) => each.type) },
          created_after: Time,
          created_before: Time,
        },
      },
      status: 200,
      response: Event,
      errors: {},
      example: { data: [exampleEvent(catalogue)] },
      handle: (context, { page }) => readEvents(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/events/{event_id}',
      operationId: 'getEvent',
      tag: 'Events',
      summary: 'Read an event',
      access: ACCESS.readEvents,
      params: Type.Object({ event_id: Type.String() }),
      status: 200,
      response: Event,
      errors: {},
      example: { data: exampleEvent(catalogue) },
      handle: (context, { params }) => readEvent(context, params.event_id),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/event-types',
      isForAnyOrigin: true,
      operationId: 'listEventTypes',
      tag: 'Events',
      summary: 'List the types of events, with schema and example',
      access: ACCESS.anyToken,
      list: { defaultSort: 'type', sorts: { type: 'text' }, filters: {} },
      status: 200,
      response: EventType,
      errors: {},
      example: { data: catalogue.slice(0, 1) },
      handle: async (_context, { page }) => readEventTypes(catalogue, page),
    }),
  ];
}
