import { Type } from 'typebox';
import { type EventDefinition, typesOf } from '../../events/index.ts';
import { ACCESS, defineRoute, type Route, withValues } from '../../http/index.ts';
import { EVENT_LIST } from './event-list.ts';
import { Event, exampleEvent } from './event-schema.ts';
import { getEvent } from './get-event.ts';
import { listEventTypes } from './list-event-types.ts';
import { presentEvent } from './present-event.ts';

const EventType = Type.Object(
  {
    type: Type.String(),
    description: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'The JSON Schema of `data.object`.' }),
    example: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'EventType' },
);

/** The type with the shortest schema, which is the clearest example. */
function exampleType(catalogue: readonly EventDefinition[]): unknown {
  const lengthOf = ({ schema }: EventDefinition) => JSON.stringify(schema).length;
  const [shortest] = catalogue.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const { type, description, schema, example } = shortest ?? {};
  return { type, description, schema, example };
}

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
      list: withValues(EVENT_LIST, 'type', typesOf(catalogue)),
      status: 200,
      response: Event,
      errors: {},
      example: { data: [exampleEvent(catalogue)] },
      handle: ({ database, principal: { organizationId } }, { page }) =>
        EVENT_LIST.getPage(database, page, { organizationId }, (row) => presentEvent(organizationId, row)),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/events/{event_id}',
      operationId: 'getEvent',
      tag: 'Events',
      summary: 'Get an event',
      access: ACCESS.readEvents,
      params: Type.Object({ event_id: Type.String() }),
      status: 200,
      response: Event,
      errors: {},
      example: { data: exampleEvent(catalogue) },
      handle: (context, { params }) => getEvent(context, params.event_id),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/event-types',
      isForAnyOrigin: true,
      operationId: 'listEventTypes',
      tag: 'Events',
      summary: 'List event types',
      access: ACCESS.anyToken,
      list: { defaultSort: 'type', sorts: { type: 'text' }, filters: {} },
      status: 200,
      response: EventType,
      errors: {},
      example: { data: [exampleType(catalogue)] },
      handle: async (_context, { page }) => listEventTypes(catalogue, page),
    }),
  ];
}
