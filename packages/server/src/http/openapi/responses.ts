import type { ErrorDefinition } from '../errors.ts';

/** What every answer of the envelope says about itself. */
export const Meta = {
  type: 'object',
  required: ['request_id', 'timestamp'],
  properties: {
    request_id: { type: 'string', pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$' },
    timestamp: { type: 'string', format: 'date-time' },
  },
};

const integerHeader = (description: string) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
});
const textHeader = (description: string, required = true) => ({ description, required, schema: { type: 'string' } });

/** Headers of every answer, kept once as components. */
export const rateLimitHeaders: Readonly<Record<string, unknown>> = {
  'X-Request-Id': textHeader('The same as meta.request_id.'),
  'X-RateLimit-Limit': integerHeader('Requests allowed in the window with the fewest remaining.'),
  'X-RateLimit-Remaining': integerHeader('Requests remaining in that window.'),
  'X-RateLimit-Reset': integerHeader('When that window resets, in Unix seconds.'),
  'RateLimit-Policy': textHeader(
    'Every window: quota and length in seconds (draft-ietf-httpapi-ratelimit-headers-11).',
  ),
  RateLimit: textHeader('Every window: requests remaining and seconds to its reset.'),
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': textHeader('RFC 6750 §3.'),
  'Idempotency-Replayed': {
    description: 'true when this is the kept answer of an earlier request.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
};

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });
const COMMON = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];
const commonHeaders = Object.fromEntries(COMMON.map((name) => [name, reference(name)]));

export const successHeaders: Readonly<Record<string, unknown>> = {
  ...commonHeaders,
  'Idempotency-Replayed': reference('Idempotency-Replayed'),
};

/** The errors of a route, one response for each status, with every code that comes with it. */
export function errorResponses(errors: Readonly<Record<string, ErrorDefinition>>): Record<string, unknown> {
  const byStatus = Map.groupBy(Object.entries(errors), ([, definition]) => definition.status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, entries]) => [String(status), describe(status, entries)]),
  );
}

function describe(status: number, entries: ReadonlyArray<[string, ErrorDefinition]>): unknown {
  const schemas = entries.map(([code, definition]) => errorSchema(code, definition));
  return {
    description: entries.map(([code, definition]) => `\`${code}\`: ${definition.when}`).join('\n\n'),
    headers: { ...commonHeaders, ...extraHeaders(status) },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error', 'meta'],
          properties: { error: schemas.length === 1 ? schemas[0] : { oneOf: schemas }, meta: Meta },
        },
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

function extraHeaders(status: number): Record<string, unknown> {
  if (status === 429 || status === 503) {
    return { 'Retry-After': reference('Retry-After') };
  }
  return status === 401 ? { 'WWW-Authenticate': reference('WWW-Authenticate') } : {};
}
