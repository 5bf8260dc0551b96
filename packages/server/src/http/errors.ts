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
    when: 'The JSON is malformed, or a field or query parameter is missing, unknown, out of range, or of the wrong type.',
  },
  invalid_token: {
    status: 401,
    when: 'The token is missing, unknown, or revoked, or it belongs to the other environment.',
  },
  token_expired: {
    status: 401,
    details: Type.Object({ expired_at: Timestamp }),
    when: 'The token has expired.',
  },
  insufficient_scope: {
    status: 403,
    details: Type.Object({ required_scope: Type.String() }),
    when: 'The token does not have a required scope. The message names the scope.',
  },
  forbidden: {
    status: 403,
    details: Type.Object({ required_role: Type.Optional(Type.String()), required_token: Type.Optional(Type.String()) }),
    when: 'The role is not sufficient, or the endpoint requires a different kind of token.',
  },
  organization_suspended: {
    status: 403,
    when: 'The organization is suspended. It can still read its profile, subscriptions, invoices, and payment methods, and pay.',
  },
  two_factor_required: {
    status: 403,
    when: 'A staff role takes effect only for logins with two-factor authentication.',
  },
  https_required: { status: 403, when: 'The request was sent over plain HTTP.' },
  not_found: {
    status: 404,
    details: Type.Object({ resource: Type.String() }),
    when: 'The resource does not exist in this organization, or the path is unknown.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support this method. The Allow header lists the methods that it supports.',
  },
  already_exists: {
    status: 409,
    details: Type.Object({ field: Type.String() }),
    when: 'A resource with the same unique value already exists.',
  },
  conflict: { status: 409, when: 'The current state of the resource does not allow this operation.' },
  idempotency_in_progress: { status: 409, when: 'The first request with this Idempotency-Key is still in progress.' },
  idempotency_key_reused: { status: 422, when: 'The Idempotency-Key was already used for a different request.' },
  payload_too_large: {
    status: 413,
    details: Type.Object({ max_bytes: Type.Integer() }),
    when: 'The body is larger than 256 KiB.',
  },
  headers_too_large: { status: 431, when: 'The request line and headers are larger than 16 KiB.' },
  request_timeout: { status: 408, when: 'The request timed out before it was fully received.' },
  expectation_failed: { status: 417, when: 'The Expect header has a value other than 100-continue.' },
  http_version_not_supported: { status: 505, when: 'The request uses an HTTP version other than 1.0, 1.1 or 2.' },
  unsupported_media_type: {
    status: 415,
    when: 'The Content-Type of the body is not application/json, or the body is compressed.',
  },
  validation_failed: {
    status: 422,
    details: Type.Object({ field: Type.String(), reason: Type.String() }),
    when: 'The request is well-formed, but a business rule rejects it.',
  },
  rate_limit_exceeded: {
    status: 429,
    details: Type.Object({ limit: Type.Integer(), reset_at: Timestamp, retry_after: Type.Integer() }),
    when: 'A rate limit was exceeded. Wait for the time in Retry-After.',
  },
  internal_error: {
    status: 500,
    when: 'Something went wrong on our side. Use the request ID to find the error in the log.',
  },
  service_unavailable: {
    status: 503,
    when: 'The database is unavailable, or the server is shutting down. Wait for the time in Retry-After.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** A refusal that the client sees: thrown at the decision, translated once at the edge. */
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
  return httpError('idempotency_in_progress', 'The first request with this Idempotency-Key is still in progress.', {
    headers: { 'retry-after': '1' },
  });
}

/** The refusal of a different request with a used Idempotency-Key. */
export function keyReused(): ApiError {
  return httpError('idempotency_key_reused', 'This Idempotency-Key was already used for a different request.');
}
