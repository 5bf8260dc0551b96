import { type TSchema, Type } from 'typebox';
import type { Access } from '../access.ts';
import type { ErrorDefinition } from '../errors.ts';
import type { Route } from '../route.ts';
import { errorExample, successExample } from './examples.ts';
import { errorHeaders, successHeaders } from './headers.ts';

/** The success of a route, with its example. A schema with a title becomes one of the components. */
export function successResponse(route: Route, components: Record<string, unknown>): unknown {
  const headers = successHeaders(route);
  if (route.status === 204) {
    return { description: 'Done; no content.', headers };
  }
  const data = named(route.response ?? Type.Unknown(), components);
  const schema = route.raw === undefined ? envelopeOf(route, data) : data;
  const value = successExample(route);
  const example = value === undefined ? {} : { example: value };
  return {
    description: route.summary,
    headers,
    content: { [route.raw ?? 'application/json']: { schema, ...example } },
  };
}

function envelopeOf(route: Route, data: unknown): unknown {
  return route.list === undefined
    ? { type: 'object', required: ['data', 'meta'], properties: { data, meta: Meta } }
    : {
        type: 'object',
        required: ['data', 'pagination', 'meta'],
        properties: { data: { type: 'array', items: data }, pagination: Pagination, meta: Meta },
      };
}

/** What every answer of the envelope says about itself. */
const Meta = {
  type: 'object',
  required: ['request_id', 'timestamp'],
  properties: {
    request_id: { type: 'string', pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$' },
    timestamp: { type: 'string', format: 'date-time' },
  },
};

const Pagination = {
  type: 'object',
  required: ['has_more', 'next_cursor'],
  properties: { has_more: { type: 'boolean' }, next_cursor: { type: ['string', 'null'] } },
};

function named(schema: TSchema, components: Record<string, unknown>): unknown {
  const title = 'title' in schema && typeof schema.title === 'string' ? schema.title : undefined;
  if (title === undefined) {
    return schema;
  }
  components[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** The errors of a route, one response for each status, with every code that comes with it and an example of each. */
export function errorResponses(
  errors: Readonly<Record<string, ErrorDefinition>>,
  access: Access,
): Record<string, unknown> {
  const byStatus = Map.groupBy(Object.entries(errors), ([, definition]) => definition.status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, entries]) => [String(status), describe(status, entries, access)]),
  );
}

function describe(status: number, entries: ReadonlyArray<[string, ErrorDefinition]>, access: Access): unknown {
  const schemas = entries.map(([code, definition]) => errorSchema(code, definition));
  const examples = entries.map(([code, definition]) => [code, { value: errorExample(code, definition, access) }]);
  return {
    description: entries.map(([code, definition]) => `\`${code}\`: ${definition.when}`).join('\n\n'),
    headers: errorHeaders(
      status,
      entries.map(([code]) => code),
    ),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error', 'meta'],
          properties: { error: schemas.length === 1 ? schemas[0] : { oneOf: schemas }, meta: Meta },
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function errorSchema(code: string, definition: ErrorDefinition): unknown {
  return {
    type: 'object',
    required: ['code', 'message', ...(definition.details === undefined ? [] : ['details'])],
    properties: {
      code: { type: 'string', const: code },
      message: { type: 'string' },
      ...(definition.details === undefined ? {} : { details: definition.details }),
    },
  };
}
