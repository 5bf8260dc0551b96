import type { Script } from './script.ts';
import {
  acquire,
  CUT,
  call,
  ended,
  GRANTED,
  granted,
  heartbeat,
  iso,
  keys,
  leave,
  list,
  OK,
  PLACE,
  poll,
  RAW,
  REFUSED,
  release,
  result,
  SEAT,
  SILENCE,
  start,
  until,
  waiting,
} from './steps.ts';

const REFUSALS = [
  [404, 'not_found'],
  [403, 'license_expired'],
  [403, 'license_suspended'],
  [403, 'license_revoked'],
  [403, 'user_not_allowed'],
  [403, 'offline_not_allowed'],
  [403, 'insufficient_scope'],
  [403, 'a_code_of_a_newer_service'],
  [422, 'invalid_hardware_id'],
  [400, 'invalid_request'],
] as const;

const FULL = { details: { max_seats: 5, active_seats: 5 } };

/** Until there is a seat. */
export const ACQUIRE_SCRIPTS: readonly Script[] = [
  {
    name: 'a seat is acquired, verified and kept',
    steps: [...start(), heartbeat(30_000, OK(seatKept())), heartbeat(60_000, OK(seatKept())), until(89_999, 'held')],
  },
  {
    name: 'the same machine gets the session that it has',
    steps: [acquire(0, OK(SEAT(), 200)), keys(0), granted(0, 'acquired'), result(0, 'granted'), list(0)],
  },
  {
    name: 'metadata and the time to wait are sent as they were given',
    config: { metadata: { hostname: 'node-12' }, wait_seconds: 600 },
    steps: start(SEAT(), {}, { metadata: { hostname: 'node-12' }, wait_seconds: 600 }),
  },
  {
    name: 'all seats are in use',
    steps: [acquire(0, REFUSED(409, 'no_seats_available', FULL)), rejected(0, 'no_seats_available'), ended(0)],
  },
  ...REFUSALS.map(([status, code]) => ({
    name: `the service refuses with ${code}`,
    steps: [acquire(0, REFUSED(status, code)), rejected(0, code), ended(0)],
  })),
  {
    name: 'a service that cannot be reached is asked for 30 seconds',
    steps: [
      ...[0, 750, 2_250, 5_250, 11_250, 23_250].map((at) => acquire(at, CUT)),
      rejected(23_250, 'connection_failed'),
      ended(23_250),
    ],
  },
  {
    name: 'a service that comes back in time gives a seat',
    steps: [
      acquire(0, CUT),
      acquire(750, OK(SEAT(), 201)),
      keys(750),
      granted(750, 'acquired'),
      result(750, 'granted'),
      list(750),
    ],
  },
  {
    name: 'an answer that does not come is an attempt that failed',
    steps: [acquire(0), { at: 30_000, ...SILENCE }, rejected(30_000, 'timed_out'), ended(30_000)],
  },
  {
    name: 'a service that is busy is asked when it says, and a little later',
    steps: [
      acquire(0, REFUSED(503, 'service_unavailable', { headers: { 'retry-after': '5' } })),
      acquire(5_500, OK(SEAT(), 201)),
      keys(5_500),
      granted(5_500, 'acquired'),
      result(5_500, 'granted'),
      list(5_500),
    ],
  },
  {
    name: 'the page of a proxy does not say when the service is asked again',
    steps: [
      acquire(0, RAW(503, '<html>Back soon</html>', { 'content-type': 'text/html', 'retry-after': '300' })),
      acquire(750, OK(SEAT(), 201)),
      keys(750),
      granted(750, 'acquired'),
      result(750, 'granted'),
      list(750),
    ],
  },
  {
    name: 'a limit that outlasts the patience of the program ends the acquire',
    steps: [
      acquire(0, REFUSED(429, 'rate_limit_exceeded', { headers: { 'retry-after': '45' } })),
      rejected(0, 'rate_limit_exceeded'),
      ended(0),
    ],
  },
  {
    name: 'a limit may be named in the details alone',
    steps: [
      acquire(0, REFUSED(429, 'rate_limit_exceeded', { details: { retry_after: 10 } })),
      acquire(10_500, REFUSED(409, 'no_seats_available', FULL)),
      rejected(10_500, 'no_seats_available'),
      ended(10_500),
    ],
  },
  {
    name: 'the page of a proxy or of a hotel is no answer, whatever its status',
    steps: [
      acquire(0, RAW(200, '<html>Welcome</html>', { 'content-type': 'text/html' })),
      acquire(750, RAW(302, '', { location: 'https://hotel.test/' })),
      acquire(2_250, RAW(403, '<html>Forbidden</html>', { 'content-type': 'text/html' })),
      acquire(5_250, OK(SEAT(), 201)),
      keys(5_250),
      granted(5_250, 'acquired'),
      result(5_250, 'granted'),
      list(5_250),
    ],
  },
  {
    name: 'keys that cannot be fetched are an attempt that failed',
    steps: [
      acquire(0, OK(SEAT(), 201)),
      keys(0, CUT),
      acquire(750, OK(SEAT(), 200)),
      keys(750),
      granted(750, 'acquired'),
      result(750, 'granted'),
      list(750),
    ],
  },
  {
    name: 'a key set without keys is an attempt that failed',
    steps: [
      acquire(0, OK(SEAT(), 201)),
      keys(0, RAW(200, '{}')),
      acquire(750, OK(SEAT(), 200)),
      keys(750, RAW(200, '{"keys":[]}')),
      acquire(2_250, OK(SEAT(), 200)),
      keys(2_250),
      granted(2_250, 'acquired'),
      result(2_250, 'granted'),
      list(2_250),
    ],
  },
  {
    name: 'a revocation list that cannot be fetched is fetched after the next heartbeat',
    steps: [
      ...start().slice(0, -1),
      list(0, CUT),
      heartbeat(30_000, OK(seatKept())),
      list(30_000),
      heartbeat(60_000, OK(seatKept())),
    ],
  },
  ...['tampered', 'stranger', 'wrong_audience', 'wrong_hardware', 'wrong_issuer', 'other_session', 'hmac'].map(
    (name) => ({
      name: `a seat is refused whose token is not good: ${name}`,
      steps: [acquire(0, OK(SEAT(`@token.${name}`), 201)), keys(0), rejected(0, 'invalid_license_token'), ended(0)],
    }),
  ),
  {
    name: 'a machine whose time of day is wrong by days believes the service',
    config: { wall_ahead_ms: 3 * 86_400_000 },
    steps: [...start(), heartbeat(30_000, OK(seatKept())), until(59_999, 'held')],
  },
  {
    name: 'a token that was refused is replaced once',
    config: { tokens: ['token-1', 'token-2'] },
    steps: [
      acquire(0, REFUSED(401, 'token_expired')),
      acquire(0, OK(SEAT(), 201), {}, { token: 'token-2' }),
      keys(0),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
    ],
  },
  {
    name: 'a second token that is refused ends the acquire',
    config: { tokens: ['token-1', 'token-2'] },
    steps: [
      acquire(0, REFUSED(401, 'invalid_token')),
      acquire(0, REFUSED(401, 'invalid_token'), {}, { token: 'token-2' }),
      rejected(0, 'invalid_token'),
      ended(0),
    ],
  },
  {
    name: 'a token that cannot be replaced ends the acquire',
    steps: [acquire(0, REFUSED(401, 'invalid_token')), rejected(0, 'invalid_token'), ended(0)],
  },
  {
    name: 'an acquire that is aborted gives back the seat of its answer',
    steps: [
      acquire(0),
      call(1_000, 'abort'),
      result(1_000, 'aborted'),
      { at: 2_000, ...OK(SEAT(), 201) },
      keys(2_000),
      release(2_000, OK({ session_id: SEAT().session_id, status: 'released', released_at: iso(2_000) })),
      ended(2_000),
    ],
  },
  {
    name: 'an acquire that is aborted between two attempts sends nothing',
    steps: [acquire(0, CUT), call(500, 'abort'), result(500, 'aborted'), ended(500), { at: 60_000, until: true }],
  },
  {
    name: 'an acquire that is aborted while it waits leaves the line',
    config: { wait_seconds: 600 },
    steps: [
      ...inLine(),
      call(5_000, 'abort'),
      result(5_000, 'aborted'),
      leave(5_000, { answer: { status: 204 } }),
      ended(5_000),
    ],
  },
  {
    name: 'an acquire that is aborted at its turn releases the seat',
    config: { wait_seconds: 600 },
    steps: [
      ...inLine(),
      call(5_000, 'abort'),
      result(5_000, 'aborted'),
      leave(5_000, REFUSED(409, 'conflict')),
      poll(5_000, OK(GRANTED()), 0),
      keys(5_000),
      release(5_000, OK({ session_id: SEAT().session_id, status: 'released', released_at: iso(5_000) })),
      ended(5_000),
    ],
  },
];

/** A place in line, with the first poll sent. */
export function inLine(): Script['steps'] {
  return [acquire(0, OK(PLACE(3), 202), { wait_seconds: 600 }), waiting(0, 3), poll(0)];
}

function seatKept() {
  return { session_id: SEAT().session_id, status: 'active', next_heartbeat_due: iso(60_000) };
}

function rejected(at: number, code: string) {
  return result(at, code);
}
