import { type SeatholdError, UnexpectedAnswerError } from '../errors.ts';
import type { HeldSeat, KeeperRequest, Outcome, Place, VerifiedToken } from './keeper-types.ts';

/** The data of a success before the license token in it is verified. */
export type Reading =
  | Outcome
  | { readonly kind: 'to_verify'; readonly licenseToken: string; readonly sessionId: string; readonly data: GrantData };

/** The fields of an acquire besides the token. A heartbeat does not have them. */
export interface GrantData {
  readonly heartbeatIntervalSeconds: number | undefined;
  readonly offlineUntilMs: number | undefined;
}

/** Interprets an answer with the envelope for its request. */
export function readSuccess(request: KeeperRequest, data: unknown): Reading {
  switch (request.kind) {
    case 'heartbeat':
      return readHeartbeat(request.sessionId, membersOf(data));
    case 'acquire':
    case 'poll':
      return readGrant(membersOf(data));
    default:
      return { kind: 'done' };
  }
}

function readHeartbeat(expected: string, data: Members): Reading {
  const { session_id: sessionId, license_token: licenseToken } = data;
  if (sessionId !== expected) {
    return unexpected();
  }
  return typeof licenseToken === 'string'
    ? { kind: 'to_verify', licenseToken, sessionId: expected, data: NOTHING }
    : { kind: 'kept', token: undefined };
}

function readGrant(data: Members): Reading {
  const { session_id: sessionId, license_token: licenseToken, status, reason } = data;
  if (typeof sessionId === 'string' && typeof licenseToken === 'string') {
    return { kind: 'to_verify', licenseToken, sessionId, data: readGrantData(data) };
  }
  if (status === 'expired' || status === 'canceled') {
    return { kind: 'wait_ended', status, reason: typeof reason === 'string' ? reason : undefined };
  }
  const place = readPlace(data);
  return place === undefined ? unexpected() : { kind: 'placed', place };
}

function readGrantData({ heartbeat_interval: interval, offline_until: until }: Members): GrantData {
  return {
    heartbeatIntervalSeconds: typeof interval === 'number' && interval >= 1 ? interval : undefined,
    offlineUntilMs: typeof until === 'string' ? Date.parse(until) || undefined : undefined,
  };
}

type Members = Readonly<Record<string, unknown>>;

const NOTHING: GrantData = { heartbeatIntervalSeconds: undefined, offlineUntilMs: undefined };

/** A seat from a verified token. */
export function seatOf(sessionId: string, data: GrantData, token: VerifiedToken & { licenseId: string }): HeldSeat {
  const { heartbeatIntervalSeconds = 60, offlineUntilMs } = data;
  return { sessionId, ...token, heartbeatIntervalSeconds, offlineUntilMs };
}

/** Interprets an error: a final refusal, or a failed attempt. Pages of proxies and redirects prove nothing. */
export function readFailure(request: KeeperRequest, error: SeatholdError): Outcome {
  const { code, status = 0 } = error;
  const isFinal = status >= 400 && status < 500 && !PASSING.has(status) && mayStand(request, status, code);
  if (!isOfApi(error)) {
    // Their Retry-After does not count either: a captive portal may ask for more time than a seat has.
    return { kind: 'failed', code, retryAfterSeconds: undefined, error };
  }
  return isFinal
    ? { kind: 'refused', code, error }
    : { kind: 'failed', code, retryAfterSeconds: error.retryAfterSeconds, error };
}

/** Whether the answer came from the API, not from the client itself or a proxy. */
export function isOfApi({ code }: SeatholdError): boolean {
  return !OWN_CODES.has(code);
}

/** The client's own codes, for anything but an answer of the API. */
const OWN_CODES: ReadonlySet<string> = new Set(['connection_failed', 'timed_out', 'redirected', 'unexpected_answer']);
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);
const CONFLICTS: ReadonlySet<string> = new Set([
  'no_seats_available',
  'session_timeout',
  'session_released',
  'activation_limit_reached',
]);

/** Unknown conflicts may be temporary. */
function mayStand({ kind }: KeeperRequest, status: number, code: string): boolean {
  return status !== 409 || CONFLICTS.has(code) || kind === 'leave';
}

function unexpected(): Outcome {
  const error = new UnexpectedAnswerError({
    code: 'unexpected_answer',
    message: 'The response lacks a required field.',
  });
  return { kind: 'failed', code: error.code, retryAfterSeconds: undefined, error };
}

function readPlace(data: Members): Place | undefined {
  const { wait_id: waitId, position, expires_at: expiresAt, poll_after_seconds: pollAfter } = data;
  return typeof waitId === 'string' && typeof position === 'number' && typeof expiresAt === 'string'
    ? { waitId, position, expiresAt, pollAfterSeconds: typeof pollAfter === 'number' ? pollAfter : 1 }
    : undefined;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
