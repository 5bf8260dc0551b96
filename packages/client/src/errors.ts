import type { ApiErrors, ErrorCode } from './generated/api-types.ts';

/** The parts of an error. */
export interface ErrorContent {
  code: string;
  message: string;
  status?: number | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The details of an error code: what the API documents for it. */
export type DetailsOf<Code extends ErrorCode> = ApiErrors[Code] extends { details: infer Details }
  ? Details
  : Record<string, unknown>;

/** Anything that went wrong with a call. Never holds the token. */
export class SeatholdError extends Error {
  override readonly name: string = 'SeatholdError';
  /** The API's error code, or the client's own: `connection_failed`, `timed_out`, `redirected`, `unexpected_answer` … */
  readonly code: string;
  /** The answer's HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The details from the API; `has` narrows them to the type of the code. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Finds the request in the operator's log; undefined when there was no answer. */
  readonly requestId: string | undefined;
  /** Seconds after which to retry, if the service specified it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(content: ErrorContent) {
    super(content.message);
    this.code = content.code;
    this.status = content.status;
    this.details = content.details ?? {};
    this.requestId = content.requestId;
    this.retryAfterSeconds = content.retryAfterSeconds;
  }

  /** Whether it is this error of the API, with the details that belong to it. */
  has<Code extends ErrorCode>(code: Code): this is SeatholdError & { code: Code; details: DetailsOf<Code> } {
    return this.code === code;
  }
}

/**
 * 400, 405, 413, 415 and other refusals of the request's form: a mistake in the program. Also for requests that were
 * never sent.
 */
export class InvalidRequestError extends SeatholdError {
  override readonly name: string = 'InvalidRequestError';
}

/** 401: no token, one that is not valid (any more), or wrong credentials. */
export class AuthenticationError extends SeatholdError {
  override readonly name: string = 'AuthenticationError';
}

/** 403: a scope or role is missing, or the license forbids it. */
export class PermissionError extends SeatholdError {
  override readonly name: string = 'PermissionError';
}

/** 404: no such thing in this organization. */
export class NotFoundError extends SeatholdError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the current state does not allow it. */
export class ConflictError extends SeatholdError {
  override readonly name: string = 'ConflictError';
}

/** 422: well-formed, but a rule refuses it. */
export class ValidationError extends SeatholdError {
  override readonly name: string = 'ValidationError';
}

/** 429: too many requests; `retryAfterSeconds` says when there is room again. */
export class RateLimitError extends SeatholdError {
  override readonly name: string = 'RateLimitError';
}

/** 5xx: an error of the service or a proxy in front of it. */
export class ServerError extends SeatholdError {
  override readonly name: string = 'ServerError';
}

/** 503: the service is temporarily unavailable; `retryAfterSeconds` may say for how long. */
export class ServiceUnavailableError extends ServerError {
  override readonly name: string = 'ServiceUnavailableError';
}

/** No response, or an incomplete one. Whether the request took effect is unknown, unless `wasSent` is false. */
export class ConnectionError extends SeatholdError {
  override readonly name: string = 'ConnectionError';
  /** False when there was no connection to send anything over. */
  readonly wasSent: boolean;

  constructor(content: ErrorContent & { wasSent: boolean }) {
    super(content);
    this.wasSent = content.wasSent;
  }
}

/** The attempt took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** A redirect, or a success that is not the API's JSON: something else answers at this URL. */
export class UnexpectedAnswerError extends SeatholdError {
  override readonly name: string = 'UnexpectedAnswerError';
}

/** The error of a refusal, of the class for its status. */
export function errorOfStatus(content: ErrorContent & { status: number }): SeatholdError {
  const { status } = content;
  const Class = CLASSES.get(status);
  if (Class !== undefined) {
    return new Class(content);
  }
  if (status >= 500) {
    return new ServerError(content);
  }
  return status >= 400 ? new InvalidRequestError(content) : new UnexpectedAnswerError(content);
}

const CLASSES: ReadonlyMap<number, new (content: ErrorContent) => SeatholdError> = new Map([
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, ValidationError],
  [429, RateLimitError],
  [503, ServiceUnavailableError],
]);
