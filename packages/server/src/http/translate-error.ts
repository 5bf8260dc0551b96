import { DatabaseUnavailable, OutcomeUnknown, UnstorableValue } from '../database/index.ts';
import { ApiError, httpError, invalidRequest } from './errors.ts';

/** Larger bodies are refused with 413 before they are read completely. */
export const MAX_BODY_BYTES = 262_144;

/** The error that the client gets for anything that was thrown. */
export function translate(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof OutcomeUnknown) {
    return httpError(
      'service_unavailable',
      'The database stopped answering, so the request may have taken effect. Repeat it with the same Idempotency-Key to learn the outcome.',
      { headers: { 'retry-after': '2' } },
    );
  }
  if (error instanceof DatabaseUnavailable) {
    return httpError('service_unavailable', 'The database is temporarily unavailable. Try again in a moment.', {
      headers: { 'retry-after': '2' },
    });
  }
  if (error instanceof UnstorableValue) {
    return invalidRequest('', 'format', 'The request contains a value that cannot be stored.');
  }
  return FRAMEWORK_ERRORS[codeOf(error)]?.() ?? httpError('internal_error', 'Something went wrong on our side.');
}

const FRAMEWORK_ERRORS: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    httpError('payload_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes.`, {
      details: { max_bytes: MAX_BODY_BYTES },
      headers: { connection: 'close' },
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalidRequest('', 'malformed', 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => invalidRequest('', 'malformed', 'The request path is not a valid URL path.'),
  FST_ERR_MAX_PARAM_LENGTH: unknownRoute,
  ECONNRESET: () => invalidRequest('', 'malformed', 'The request ended before it was complete.'),
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The body has a content type that the route does not read. */
export function unsupportedType(): ApiError {
  return httpError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
}

/** The body is compressed. No route decompresses: a small body could then become a large one. */
export function unsupportedCoding(): ApiError {
  return httpError('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

/** Nothing answers at this path. */
export function unknownRoute(): ApiError {
  return httpError('not_found', 'This path does not exist. See /docs for the API reference.', {
    details: { resource: 'route' },
  });
}
