import { idPattern } from '../../ids/index.ts';
import type { Route } from '../route.ts';

const integerHeader = (description: string) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0, format: 'int64' },
});
const textHeader = (description: string) => ({ description, required: true, schema: { type: 'string' } });

const RETRY_AFTER = {
  description: 'The number of seconds to wait.',
  required: true,
  schema: { type: 'integer', minimum: 1, format: 'int64' },
};
const WWW_AUTHENTICATE = textHeader('RFC 6750 §3.');

/** Response headers, defined once as components. */
export const HEADER_COMPONENTS: Readonly<Record<string, unknown>> = {
  'X-Request-Id': textHeader('The same as `meta.request_id`.'),
  'X-RateLimit-Limit': integerHeader('The request limit of the window with the fewest requests remaining.'),
  'X-RateLimit-Remaining': integerHeader('The requests remaining in that window.'),
  'X-RateLimit-Reset': integerHeader('When that window resets, in Unix seconds.'),
  'Retry-After': RETRY_AFTER,
  'WWW-Authenticate': WWW_AUTHENTICATE,
  ...Object.fromEntries(
    ['idempotency_in_progress', 'service_unavailable'].map((code) => [
      `Retry-After-${code}`,
      onlyWith(code, RETRY_AFTER, false),
    ]),
  ),
  'WWW-Authenticate-insufficient_scope': onlyWith('insufficient_scope', WWW_AUTHENTICATE, false),
};

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });

/**
 * The headers of every response. Listed only with the refusals of all operations, and in the document's description:
 * listed in each response, they would be a seventh of the document.
 */
const EVERY_ANSWER = Object.fromEntries(
  ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    reference(name),
  ]),
);

/** The headers of every response, for the document's description. */
export const HEADERS_OF_ALL = [
  '`X-Request-Id`: the same as `meta.request_id`.',
  '`X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`: the limit of the window with the fewest requests remaining, how many remain, and when it resets, in Unix seconds.',
  '`RateLimit-Policy`, `RateLimit`: the same for every window (draft-ietf-httpapi-ratelimit-headers-11).',
  '`Cache-Control`: `no-store`, unless the response is the same for everyone.',
  '`Strict-Transport-Security`, `X-Content-Type-Options`: use only HTTPS, and trust the content type.',
];

/** The headers of an error's status. Headers of only some of its codes are not required. */
export function errorHeaders(status: number | 'default', codes: readonly string[]): Record<string, unknown> {
  const headers: Record<string, unknown> = status === 429 || status === 'default' ? { ...EVERY_ANSWER } : {};
  const isOnly = codes.length === 1;
  const [retried] = ['idempotency_in_progress', 'service_unavailable'].filter((code) => codes.includes(code));
  if (status === 429 || status === 503) {
    headers['Retry-After'] = reference('Retry-After');
  } else if (retried !== undefined) {
    headers['Retry-After'] = isOnly ? onlyWith(retried, RETRY_AFTER, true) : reference(`Retry-After-${retried}`);
  }
  if (status === 401) {
    headers['WWW-Authenticate'] = reference('WWW-Authenticate');
  } else if (codes.includes('insufficient_scope')) {
    headers['WWW-Authenticate'] = isOnly
      ? onlyWith('insufficient_scope', WWW_AUTHENTICATE, true)
      : reference('WWW-Authenticate-insufficient_scope');
  }
  return headers;
}

function onlyWith(code: string, header: { description: string }, required: boolean): unknown {
  return { ...header, description: `${header.description} Comes with \`${code}\`.`, required };
}

/** The headers that a request to the route may have besides its token. */
export function headerParameters(route: Route): Array<{ name: string }> {
  if (route.access.kind === 'public') {
    return [];
  }
  const organization = route.access.kind === 'token' ? [ORGANIZATION_ID] : [];
  return isIdempotent(route) ? [...organization, IDEMPOTENCY_KEY] : organization;
}

/**
 * Whether the route stores its responses by Idempotency-Key, as routes that change something for a known caller do
 * (contract §5).
 */
export function isIdempotent({ access, method }: Route): boolean {
  return access.kind !== 'public' && (method === 'POST' || method === 'PATCH');
}

const ORGANIZATION_ID = {
  name: 'X-Organization-Id',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: idPattern('organization') },
  description:
    'With a session token: the organization that this request acts in, instead of the current one. With an API token: only the organization of the token is accepted. With an operator token or the session token of a staff member: the organization to act for.',
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  // Printable ASCII. Spaces around a header's value are not part of it.
  schema: { type: 'string', maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
  description:
    'Makes retries safe: the first successful response is stored for 24 hours and returned again, with the header `Idempotency-Replayed: true`.',
};
