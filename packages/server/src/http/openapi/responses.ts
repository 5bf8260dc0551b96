import { Type } from 'typebox';
import type { ErrorDefinition } from '../errors.ts';
import type { Route } from '../route.ts';
import { pascalCase } from './components.ts';
import { errorExample, successExample } from './examples.ts';
import { errorHeaders, successHeaders } from './headers.ts';

/** The success of a route, with its example. */
export function successResponse(route: Route): object {
  const headers = successHeaders(route);
  if (route.status === 204) {
    return { description: 'Success. The response has no body.', headers };
  }
  const data = route.response ?? Type.Unknown();
  const schema = route.raw === undefined ? envelopeOf(route, data) : data;
  const value = successExample(route);
  const example = value === undefined ? {} : { example: value };
  return {
    description: route.summary,
    headers,
    content: { [route.raw ?? 'application/json']: { schema, ...example } },
  };
}

/** Named by the operation, since several may answer the same data. */
function envelopeOf(route: Route, data: unknown): unknown {
  const title = `${pascalCase(route.operationId)}Response`;
  return route.list === undefined
    ? { title, type: 'object', required: ['data', 'meta'], properties: { data, meta: Meta } }
    : {
        title,
        type: 'object',
        required: ['data', 'pagination', 'meta'],
        properties: { data: { type: 'array', items: data }, pagination: Pagination, meta: Meta },
      };
}

/** What every answer of the envelope says about itself. */
const Meta = {
  title: 'Meta',
  type: 'object',
  required: ['request_id', 'timestamp'],
  properties: {
    request_id: { type: 'string', pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$' },
    timestamp: { type: 'string', format: 'date-time' },
  },
};

const Pagination = {
  title: 'Pagination',
  type: 'object',
  required: ['has_more', 'next_cursor'],
  properties: { has_more: { type: 'boolean' }, next_cursor: { type: ['string', 'null'] } },
};

/** The errors of a route, one response for each status, with every code that comes with it and an example of each. */
export function errorResponses(errors: Readonly<Record<string, ErrorDefinition>>): Record<string, object> {
  const byStatus = Map.groupBy(Object.entries(errors), ([, definition]) => definition.status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, entries]) => [String(status), describeOnce(status, entries)]),
  );
}

type Entries = ReadonlyArray<[string, ErrorDefinition]>;

/** Hundreds of routes share a few dozen combinations of errors. */
function describeOnce(status: number, entries: Entries): object {
  const codes = entries.map(([code]) => code).join();
  const known = DESCRIBED.get(codes);
  if (known?.entries.every(([, definition], place) => definition === entries[place]?.[1]) === true) {
    return known.response;
  }
  const response = describe(status, entries);
  DESCRIBED.set(codes, { entries, response });
  return response;
}

const DESCRIBED = new Map<string, { entries: Entries; response: object }>();

function describe(status: number, entries: Entries): object {
  const codes = entries.map(([code]) => code);
  const schemas = entries.map(([code, definition]) => errorSchema(code, definition));
  const examples = entries.map(([code, definition]) => [code, { value: errorExample(code, definition) }]);
  return {
    description: entries.map(([code, definition]) => `\`${code}\`: ${definition.when}`).join('\n\n'),
    headers: errorHeaders(status, codes),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error', 'meta'],
          properties: { error: schemas.length === 1 ? schemas[0] : unionOf(codes, schemas), meta: Meta },
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function unionOf(codes: readonly string[], schemas: readonly unknown[]): unknown {
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${titleOf(code)}`]));
  return { oneOf: schemas, discriminator: { propertyName: 'code', mapping } };
}

const titleOf = (code: string) => `${pascalCase(code)}Error`;

function errorSchema(code: string, definition: ErrorDefinition): unknown {
  return {
    title: titleOf(code),
    type: 'object',
    required: ['code', 'message', ...(definition.details === undefined ? [] : ['details'])],
    properties: {
      code: { type: 'string', const: code },
      message: { type: 'string' },
      ...(definition.details === undefined ? {} : { details: definition.details }),
    },
  };
}
