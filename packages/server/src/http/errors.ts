import { type TSchema, Type } from 'typebox';

/** One error code: its status, the shape of its details, and when it is used (for the API reference). */
export interface ErrorDefinition {
  status: number;
  details?: TSchema;
  when: string;
}

const Timestamp = Type.String({ format: 'date-time' });

/** The codes that every endpoint shares. A room adds its own in its errors.ts (contract §3). */
export const HTTP_ERRORS = {
  invalid_request: {
    status: 400,
    details: Type.Object({
      field: Type.String(),
      reason: Type.Enum(['required', 'type', 'format', 'min', 'max', 'length', 'enum', 'unknown', 'malformed']),
    }),
    when: 'Malformed JSON, or a missing, mistyped, out-of-range or unknown field or query parameter.',
  },
  invalid_token: { status: 401, when: 'No token, or one that is unknown, revoked or of the other environment.' },
  token_expired: {
    status: 401,
    details: Type.Object({ expired_at: Timestamp }),
    when: 'The token is past its expiry.',
  },
  insufficient_scope: {
    status: 403,
    details: Type.Object({ required_scope: Type.String() }),
    when: 'The token lacks a scope; the message names it.',
  },
  forbidden: {
    status: 403,
    details: Type.Object({ required_role: Type.Optional(Type.String()), required_token: Type.Optional(Type.String()) }),
    when: 'The role is too low, or another kind of token is needed.',
  },
  https_required: { status: 403, when: 'The request came over plain HTTP.' },
  not_found: {
    status: 404,
    details: Type.Object({ resource: Type.String() }),
    when: 'No such thing in this organization, or an unknown route.',
  },
  method_not_allowed: { status: 405, when: 'The path exists, the method does not; see the Allow header.' },
  already_exists: {
    status: 409,
    details: Type.Object({ field: Type.String() }),
    when: 'A unique thing exists already.',
  },
  conflict: { status: 409, when: 'The state does not allow it.' },
  idempotency_in_progress: { status: 409, when: 'The first request with this Idempotency-Key is still running.' },
  idempotency_key_reused: { status: 422, when: 'The Idempotency-Key was used for another request.' },
  payload_too_large: {
    status: 413,
    details: Type.Object({ max_bytes: Type.Integer() }),
    when: 'The body is over 256 KiB.',
  },
  headers_too_large: { status: 431, when: 'The request line and headers are over 16 KiB.' },
  request_timeout: { status: 408, when: 'The request did not arrive in time.' },
  expectation_failed: { status: 417, when: 'The Expect header is something other than 100-continue.' },
  http_version_not_supported: { status: 505, when: 'The request uses an HTTP version other than 1.0, 1.1 or 2.' },
  unsupported_media_type: { status: 415, when: 'The body is not application/json.' },
  validation_failed: {
    status: 422,
    details: Type.Object({ field: Type.String(), reason: Type.String() }),
    when: 'Well-formed, but a business rule refuses it.',
  },
  rate_limit_exceeded: {
    status: 429,
    details: Type.Object({ limit: Type.Integer(), reset_at: Timestamp, retry_after: Type.Integer() }),
    when: 'A rate limit is exceeded; see Retry-After.',
  },
  internal_error: { status: 500, when: 'A fault of the service; the request id finds it in the log.' },
  service_unavailable: { status: 503, when: 'The database is away, or the server drains; see Retry-After.' },
} as const satisfies Record<string, ErrorDefinition>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** A refusal that the client is told: thrown at the decision, translated once at the edge. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    definition: ErrorDefinition,
    message: string,
    options: {
      details?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = definition.status;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** One of the shared errors. The message is public. */
export function httpError(
  code: HttpErrorCode,
  message: string,
  options?: ConstructorParameters<typeof ApiError>[3],
): ApiError {
  return new ApiError(code, HTTP_ERRORS[code], message, options);
}

export type InvalidReason =
  | 'required'
  | 'type'
  | 'format'
  | 'min'
  | 'max'
  | 'length'
  | 'enum'
  | 'unknown'
  | 'malformed';

/** `invalid_request` for one field; `field` is a dotted path, empty for the body as a whole. */
export function invalidRequest(field: string, reason: InvalidReason, message: string): ApiError {
  return httpError('invalid_request', message, { details: { field, reason } });
}

export function notFound(resource: string): ApiError {
  return httpError('not_found', `No such ${resource.replaceAll('_', ' ')}.`, { details: { resource } });
}

/** The refusal of a request whose first run with the same Idempotency-Key has not ended. */
export function requestInProgress(): ApiError {
  return httpError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    headers: { 'retry-after': '1' },
  });
}

/** The refusal of another request under an Idempotency-Key that is taken. */
export function keyReused(): ApiError {
  return httpError('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
}
