import type { Script } from './script.ts';
import {
  acquire,
  CUT,
  call,
  ended,
  granted,
  heartbeat,
  iso,
  KEPT,
  list,
  lost,
  OK,
  offline,
  RAW,
  REFUSED,
  release,
  result,
  SEAT,
  start,
  until,
} from './steps.ts';

const DAY = 86_400_000;
const FORTNIGHT = { expires_at: iso(14 * DAY) };
const OFFLINE_SEAT = SEAT('@token.offline_14_days', { ...FORTNIGHT, offline_until: iso(14 * DAY) });
const STORED_SEAT = { license_token: '@token.offline_14_days', heartbeat_interval: 60, offline_until: iso(14 * DAY) };
const STORED = { keys: '@keys.first', revocations: '@list.empty', seen_at: iso(-1000), seat: STORED_SEAT };
const RELEASED = REFUSED(409, 'session_released', { details: { released_at: iso(20_000) } });
const DONE = OK({ session_id: SEAT().session_id, status: 'released', released_at: iso(10_000) });

/** Offline seats, and programs that start without a network. */
export const OFFLINE_SCRIPTS: readonly Script[] = [
  {
    name: 'an offline seat stays when the program ends',
    config: { offline_seconds: 1_209_600 },
    steps: [
      ...start(OFFLINE_SEAT, FORTNIGHT, { offline_seconds: 1_209_600 }),
      call(10_000, 'exit'),
      ended(10_000),
      { at: 10_000, stored: { license_token: '@token.offline_14_days' } },
    ],
  },
  {
    name: 'an offline seat that is released early is given back',
    config: { offline_seconds: 1_209_600 },
    steps: [
      ...start(OFFLINE_SEAT, FORTNIGHT, { offline_seconds: 1_209_600 }),
      call(10_000, 'release'),
      release(10_000, DONE),
      ended(10_000),
      { at: 10_000, stored: { license_token: null } },
    ],
  },
  {
    name: 'a program starts without a network, with the seat of its last run',
    stored: STORED,
    steps: [
      acquire(0, CUT),
      granted(0, 'resumed', FORTNIGHT),
      offline(0, 'connection_failed', iso(14 * DAY)),
      result(0, 'granted'),
      heartbeat(750, CUT),
      heartbeat(2_250, OK(KEPT())),
      granted(2_250, 'online', FORTNIGHT),
      list(2_250),
      heartbeat(32_250, OK(KEPT())),
    ],
  },
  {
    name: 'a seat that is on the stored revocation list is not resumed',
    config: { timeout_seconds: 1 },
    stored: { ...STORED, revocations: '@list.session' },
    steps: [acquire(0, CUT), acquire(750, CUT), result(750, 'connection_failed'), ended(750)],
  },
  {
    name: 'a clock that is set back does not bring an expired seat back',
    config: { timeout_seconds: 1 },
    stored: { ...STORED, seen_at: iso(15 * DAY) },
    steps: [acquire(0, CUT), acquire(750, CUT), result(750, 'connection_failed'), ended(750)],
  },
  {
    name: 'a stored seat does not help if the service refuses',
    stored: STORED,
    steps: [
      acquire(0, REFUSED(403, 'license_suspended')),
      result(0, 'license_suspended'),
      { at: 0, stored: { license_token: null } },
      ended(0),
    ],
  },
  {
    name: 'an offline seat that an admin took back is noticed as soon as there is a network',
    stored: STORED,
    steps: [
      acquire(0, CUT),
      granted(0, 'resumed', FORTNIGHT),
      offline(0, 'connection_failed', iso(14 * DAY)),
      result(0, 'granted'),
      heartbeat(750, RELEASED),
      list(750, RAW(200, '@list.session')),
      lost(750, 'revoked', true),
      ended(750),
    ],
  },
  {
    name: 'a seat is taken offline when the program asks',
    steps: [
      ...start(),
      call(10_000, 'take_offline', { seconds: 1_209_600 }),
      acquire(
        10_000,
        OK(
          SEAT('@token.offline_renewed', { expires_at: iso(10_000 + 14 * DAY), offline_until: iso(10_000 + 14 * DAY) }),
          200,
        ),
        { offline_seconds: 1_209_600 },
      ),
      { at: 10_000, offline_result: 'ok' },
      granted(10_000, 'renewed', { expires_at: iso(10_000 + 14 * DAY) }),
      heartbeat(40_000, OK(KEPT())),
    ],
  },
  {
    name: 'a seat that may not go offline stays online',
    steps: [
      ...start(),
      call(10_000, 'take_offline', { seconds: 1_209_600 }),
      acquire(10_000, REFUSED(403, 'offline_not_allowed'), { offline_seconds: 1_209_600 }),
      { at: 10_000, offline_result: 'offline_not_allowed' },
      heartbeat(30_000, OK(KEPT())),
      until(59_999, 'held'),
    ],
  },
];
