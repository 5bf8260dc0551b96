import { type TSchema, Type } from 'typebox';
import { type ErrorDefinition, HTTP_ERRORS } from '../errors.ts';
import type { Route } from '../route.ts';
import { type Components, pascalCase, titleOf } from './components.ts';
import { errorExample, META_EXAMPLE, PAGINATION_EXAMPLE, successExample } from './examples.ts';
import { errorHeaders } from './headers.ts';

/** The success of a route, with its example. */
export function successResponse(route: Route, components: Components): object {
  if (route.status === 204) {
    return { description: 'Success. The response has no body.' };
  }
  const data = route.response ?? Type.Unknown();
  const schema = route.raw === undefined ? envelopeOf(data, route.list !== undefined) : data;
  const example = successExample(route, components);
  return {
    description: route.summary,
    content: Object.fromEntries(
      [route.raw ?? 'application/json', ...(route.alsoRaw ?? [])].map((type) => [type, { schema, ...example }]),
    ),
  };
}

/** Named by its data. Generators name their own types after operations, so our schemas must not be. */
function envelopeOf(data: TSchema, isList: boolean): unknown {
  const title = titleOf(data);
  if (title === undefined) {
    throw new Error('the data of a response has no title');
  }
  return isList
    ? {
        title: `${title}List`,
        type: 'object',
        required: ['data', 'pagination', 'meta'],
        properties: { data: { type: 'array', items: data }, pagination: Pagination, meta: Meta },
      }
    : {
        title: `${title}Response`,
        type: 'object',
        required: ['data', 'meta'],
        properties: { data, meta: Meta },
      };
}

/** The `meta` of every envelope. */
const Meta = {
  title: 'Meta',
  type: 'object',
  required: ['request_id', 'timestamp'],
  properties: {
    request_id: { type: 'string', pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$' },
    timestamp: { type: 'string', format: 'date-time' },
  },
  examples: [META_EXAMPLE],
};

const Pagination = {
  title: 'Pagination',
  type: 'object',
  required: ['has_more', 'next_cursor'],
  properties: { has_more: { type: 'boolean' }, next_cursor: { type: ['string', 'null'] } },
  examples: [PAGINATION_EXAMPLE],
};

type Errors = Readonly<Record<string, ErrorDefinition>>;

/** The errors of a route, one response per status, with all its codes and an example of each. */
export function errorResponses(errors: Errors): Record<string, object> {
  const byStatus = Map.groupBy(Object.entries(errors), ([, definition]) => definition.status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, entries]) => [String(status), describeOnce(status, entries.toSorted(inOneOrder))]),
  );
}

/** Routes list their codes in any order, but the same codes are the same response. */
function inOneOrder([one]: [string, ErrorDefinition], [other]: [string, ErrorDefinition]): number {
  return rankOf(one) - rankOf(other) || (one < other ? -1 : 1);
}

const SHARED_CODES = Object.keys(HTTP_ERRORS);

/** Codes of every route come first. */
function rankOf(code: string): number {
  const place = SHARED_CODES.indexOf(code);
  return place === -1 ? SHARED_CODES.length : place;
}

/** The same, with one response for the errors of any operation. A status with its own codes lists them as well. */
export function errorResponsesAndDefault(errors: Errors, everywhere: Errors): Record<string, object> {
  const statuses = new Set(Object.values(errors).map(({ status }) => status));
  const shared = Object.entries(everywhere).filter(([, { status }]) => statuses.has(status));
  return {
    ...errorResponses({ ...errors, ...Object.fromEntries(shared) }),
    default: describeOnce('default', Object.entries(everywhere)),
  };
}

type Entries = ReadonlyArray<[string, ErrorDefinition]>;

/** Hundreds of routes share a few dozen combinations of errors. */
function describeOnce(status: number | 'default', entries: Entries): object {
  const codes = [status, ...entries.map(([code]) => code)].join();
  const known = DESCRIBED.get(codes);
  if (known?.entries.every(([, definition], place) => definition === entries[place]?.[1]) === true) {
    return known.response;
  }
  const response = describe(status, entries);
  DESCRIBED.set(codes, { entries, response });
  return response;
}

const DESCRIBED = new Map<string, { entries: Entries; response: object }>();

function describe(status: number | 'default', entries: Entries): object {
  const codes = entries.map(([code]) => code);
  const schemas = entries.map(([code, definition]) => errorSchema(code, definition));
  const examples = entries.map(([code, definition]) => [code, { value: errorExample(code, definition) }]);
  return {
    description: entries
      .map(
        ([code, definition]) =>
          `\`${code}\`${status === 'default' ? ` (${definition.status})` : ''}: ${definition.when}`,
      )
      .join('\n\n'),
    headers: errorHeaders(status, codes),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error', 'meta'],
          properties: { error: schemas.length === 1 ? schemas[0] : { anyOf: schemas }, meta: Meta },
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function errorSchema(code: string, definition: ErrorDefinition): unknown {
  return {
    title: `${pascalCase(code)}Error`,
    type: 'object',
    required: ['code', 'message', ...(definition.details === undefined ? [] : ['details'])],
    properties: {
      code: { type: 'string', const: code },
      message: { type: 'string' },
      ...(definition.details === undefined ? {} : { details: definition.details }),
    },
  };
}
