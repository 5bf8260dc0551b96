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
  KEPT,
  keys,
  list,
  lost,
  OK,
  PLACE,
  poll,
  RAW,
  REFUSED,
  release,
  SEAT,
  start,
  until,
  waiting,
} from './steps.ts';
import { OTHER_SESSION } from './tokens.ts';

const IN_TWO_DAYS = iso(2 * 86_400_000);
const OTHER = { session_id: OTHER_SESSION, expires_at: IN_TWO_DAYS };
const OTHER_SEAT = SEAT('@token.other_session', { session_id: OTHER_SESSION, expires_at: IN_TWO_DAYS });
const RENEWED = { license_token: '@token.renewed', expires_at: iso(86_430_000) };
const TIMEOUT = REFUSED(409, 'session_timeout', {
  details: { last_heartbeat: iso(0), timeout_at: iso(180_000) },
});
const RELEASED = REFUSED(409, 'session_released', { details: { released_at: iso(20_000) } });
const FULL = REFUSED(409, 'no_seats_available', { details: { max_seats: 5, active_seats: 5 } });

const FINAL = [
  [403, 'license_expired'],
  [403, 'license_suspended'],
  [403, 'license_revoked'],
  [403, 'user_not_allowed'],
  [403, 'forbidden'],
  [401, 'invalid_token'],
  [401, 'token_expired'],
] as const;

/** Seats that are kept or lost by what the service answers. */
export const HOLD_SCRIPTS: readonly Script[] = [
  {
    name: 'a heartbeat brings a new token',
    steps: [
      ...start(),
      heartbeat(30_000, OK(KEPT(RENEWED))),
      { at: 30_000, stored: { license_token: '@token.renewed' } },
      until(59_999, 'held'),
    ],
  },
  {
    name: 'a new token that is not good is not taken, and the old one stays',
    steps: [
      ...start(),
      heartbeat(30_000, OK(KEPT({ license_token: '@token.tampered', expires_at: iso(86_400_000) }))),
      { at: 30_000, stored: { license_token: '@token.valid' } },
      heartbeat(60_000, OK(KEPT())),
    ],
  },
  {
    name: 'a new token that is signed with a new key makes the keeper fetch the keys',
    steps: [
      ...start(),
      heartbeat(30_000, OK(KEPT())),
      heartbeat(60_000, OK(KEPT({ license_token: '@token.second_key', expires_at: iso(86_430_000) }))),
      keys(60_000, RAW(200, '@keys.both')),
      { at: 60_000, stored: { license_token: '@token.second_key' } },
      heartbeat(90_000, OK(KEPT())),
    ],
  },
  {
    name: 'keys are fetched at most once a minute',
    steps: [
      ...start(),
      heartbeat(30_000, OK(KEPT({ license_token: '@token.second_key', expires_at: iso(86_430_000) }))),
      { at: 30_000, stored: { license_token: '@token.valid' } },
      heartbeat(60_000, OK(KEPT())),
    ],
  },
  {
    name: 'a session that timed out is acquired again, and the program need not stop',
    steps: [
      ...start(),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, OK(OTHER_SEAT, 201)),
      granted(30_000, 'reacquired', OTHER),
      heartbeat(60_000, OK(KEPT({}, OTHER_SESSION)), OTHER_SESSION),
    ],
  },
  {
    name: 'a session that the service does not know is acquired again',
    steps: [
      ...start(),
      heartbeat(30_000, REFUSED(404, 'not_found')),
      acquire(30_000, OK(OTHER_SEAT, 201)),
      granted(30_000, 'reacquired', OTHER),
    ],
  },
  {
    name: 'a program learns that it lost its seat to another, and gets the next free one',
    steps: [
      ...start(),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, FULL),
      lost(30_000, 'session_timeout', false),
      acquire(30_750, FULL),
      acquire(32_250, CUT),
      acquire(35_250, OK(OTHER_SEAT, 201)),
      granted(35_250, 'reacquired', OTHER),
      heartbeat(65_250, OK(KEPT({}, OTHER_SESSION)), OTHER_SESSION),
    ],
  },
  {
    name: 'attempts to get a seat back are at most a minute apart',
    steps: [
      ...start(),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, FULL),
      lost(30_000, 'session_timeout', false),
      ...[750, 2_250, 5_250, 11_250, 23_250, 47_250, 92_250, 137_250].map((at) => acquire(30_000 + at, FULL)),
    ],
  },
  {
    name: 'a program that waits in line does so again after it lost its seat',
    config: { wait_seconds: 600 },
    steps: [
      ...start(SEAT(), {}, { wait_seconds: 600 }),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, OK(PLACE(2), 202), { wait_seconds: 600 }),
      lost(30_000, 'session_timeout', false),
      waiting(30_000, 2),
      poll(30_000),
      { at: 45_000, ...OK(GRANTED('@token.other_session', OTHER)) },
      granted(45_000, 'reacquired', OTHER),
      heartbeat(75_000, OK(KEPT({}, OTHER_SESSION)), OTHER_SESSION),
    ],
  },
  {
    name: 'a program whose second wait ended joins the line again',
    config: { wait_seconds: 600 },
    steps: [
      ...start(SEAT(), {}, { wait_seconds: 600 }),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, OK(PLACE(2), 202), { wait_seconds: 600 }),
      lost(30_000, 'session_timeout', false),
      waiting(30_000, 2),
      poll(30_000),
      { at: 50_000, ...OK({ wait_id: PLACE(1).wait_id, status: 'expired' }) },
      acquire(50_750, OK(PLACE(5), 202), { wait_seconds: 600 }),
      waiting(50_750, 5),
      poll(50_750),
    ],
  },
  {
    name: 'a session that was lost in an outage ends the program’s right until there is another',
    steps: [
      ...start(),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, CUT),
      lost(30_000, 'session_timeout', false),
      acquire(30_750, OK(OTHER_SEAT, 201)),
      granted(30_750, 'reacquired', OTHER),
    ],
  },
  {
    name: 'a license that ended meanwhile makes the loss final',
    steps: [
      ...start(),
      heartbeat(30_000, TIMEOUT),
      acquire(30_000, REFUSED(403, 'license_expired')),
      lost(30_000, 'license_expired', true),
      ended(30_000),
    ],
  },
  {
    name: 'a session that another copy of the program released is acquired again',
    steps: [
      ...start(),
      heartbeat(30_000, RELEASED),
      list(30_000, RAW(200, '@list.others')),
      acquire(30_000, OK(OTHER_SEAT, 201)),
      granted(30_000, 'reacquired', OTHER),
    ],
  },
  {
    name: 'a session that an admin released is lost for good',
    steps: [
      ...start(),
      heartbeat(30_000, RELEASED),
      list(30_000, RAW(200, '@list.session')),
      lost(30_000, 'revoked', true),
      { at: 30_000, stored: { license_token: null } },
      ended(30_000),
      until(600_000, 'ended'),
    ],
  },
  ...FINAL.map(([status, code]) => ({
    name: `a heartbeat that is refused with ${code} ends the seat`,
    steps: [...start(), heartbeat(30_000, REFUSED(status, code)), lost(30_000, code, true), ended(30_000)],
  })),
  {
    name: 'a heartbeat whose token expired is repeated with a new one',
    config: { tokens: ['token-1', 'token-2'] },
    steps: [
      ...start(),
      heartbeat(30_000, REFUSED(401, 'token_expired')),
      heartbeat(30_000, OK(KEPT()), undefined, { token: 'token-2' }),
      heartbeat(60_000, OK(KEPT()), undefined, { token: 'token-2' }),
    ],
  },
  {
    name: 'the revocation list is fetched every ten minutes',
    steps: [
      ...start(SEAT('@token.valid', { heartbeat_interval: 600 })),
      heartbeat(300_000, OK(KEPT())),
      heartbeat(600_000, OK(KEPT())),
      list(600_000, RAW(200, '@list.others')),
      heartbeat(900_000, OK(KEPT())),
      heartbeat(1_200_000, OK(KEPT())),
      list(1_200_000, RAW(200, '@list.license')),
      lost(1_200_000, 'revoked', true),
      ended(1_200_000),
    ],
  },
  {
    name: 'a seat is released when the program asks',
    steps: [
      ...start(),
      call(10_000, 'release'),
      release(10_000, OK({ session_id: SEAT().session_id, status: 'released', released_at: iso(10_000) })),
      ended(10_000),
      { at: 10_000, stored: { license_token: null } },
      until(120_000, 'ended'),
    ],
  },
  {
    name: 'a release while a heartbeat is under way does not wait for it',
    steps: [...start(), heartbeat(30_000), call(31_000, 'release'), release(31_000, TIMEOUT), ended(31_000)],
  },
  {
    name: 'a release is tried three times',
    steps: [
      ...start(),
      call(10_000, 'release'),
      release(10_000, CUT),
      release(10_750, CUT),
      release(12_250, CUT),
      ended(12_250),
    ],
  },
  {
    name: 'an online seat is released when the program ends',
    steps: [
      ...start(),
      call(10_000, 'exit'),
      release(10_000, OK({ session_id: SEAT().session_id, status: 'released', released_at: iso(10_000) })),
      ended(10_000),
    ],
  },
];
