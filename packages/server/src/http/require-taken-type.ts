import { type IncomingHttpHeaders, type IncomingMessage, METHODS } from 'node:http';
import type { Route } from './route.ts';
import { unsupportedCoding, unsupportedType } from './translate-error.ts';

/**
 * Throws `unsupported_media_type` for a body that the route does not read: a compressed one, and YAML, which is a content
 * type of only a few routes, but the parser accepts it for all.
 */
export function requireTakenType(headers: IncomingHttpHeaders, { body, takesYaml }: Route): void {
  const coding = headers['content-encoding'] ?? IDENTITY;
  if (body !== undefined && coding.toLowerCase() !== IDENTITY && headers['content-length'] !== '0') {
    throw unsupportedCoding();
  }
  const isYaml = headers['content-type']?.toLowerCase().startsWith(YAML_BODY) === true;
  if (takesYaml !== true && isYaml && headers['content-length'] !== '0') {
    throw unsupportedType();
  }
}

/**
 * Whether Fastify refused the type of a body that the request does not have. Some clients still send one: curl with `-d
 * ''`, and .NET with an empty StringContent.
 */
export function isTypeOfNothing(error: unknown, { headers, httpVersionMajor }: IncomingMessage): boolean {
  const isRefused = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
  const length = headers['content-length'];
  // A body of HTTP/2 needs no length.
  const isWithout = length === undefined && headers['transfer-encoding'] === undefined && httpVersionMajor === 1;
  return isRefused && (length === '0' || isWithout);
}

/**
 * All methods that the parser knows: Fastify itself would answer the rarer ones with 404, and QUERY with its own error.
 */
const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** No route reads a body for these, so it is ignored. For DELETE, some do. */
export const METHODS_WITHOUT_BODY = ALL_METHODS.filter(
  (method) => !['POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
);

export const JSON_BODY = 'application/json';
export const YAML_BODY = 'application/yaml';
const IDENTITY = 'identity';
