import type { Script } from './script.ts';
import {
  acquire,
  CUT,
  call,
  granted,
  heartbeat,
  iso,
  KEPT,
  lost,
  OK,
  offline,
  RAW,
  REFUSED,
  SEAT,
  start,
  until,
} from './steps.ts';
import { OTHER_SESSION } from './tokens.ts';

const DAY = 86_400_000;
const TWO_MINUTES = SEAT('@token.two_minutes', { expires_at: iso(120_000) });
const UNTIL_120 = { expires_at: iso(120_000) };
const OTHER = { session_id: OTHER_SESSION, expires_at: iso(2 * DAY) };
const OTHER_SEAT = SEAT('@token.other_session', OTHER);
const TIMEOUT = REFUSED(409, 'session_timeout', { details: { last_heartbeat: iso(0), timeout_at: iso(180_000) } });

/** Without a network, asleep, and with clocks that jump. */
export const OUTAGE_SCRIPTS: readonly Script[] = [
  {
    name: 'a short outage is not worth telling',
    steps: [
      ...start(),
      heartbeat(30_000, CUT),
      heartbeat(30_750, RAW(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' })),
      heartbeat(32_250, REFUSED(500, 'internal_error')),
      heartbeat(35_250, OK(KEPT())),
      heartbeat(65_250, OK(KEPT())),
    ],
  },
  {
    name: 'an outage longer than the interval has an event, and so has its end',
    steps: [
      ...start(),
      ...[30_000, 30_750, 32_250, 35_250, 41_250, 53_250].map((at) => heartbeat(at, CUT)),
      heartbeat(75_750, CUT),
      offline(75_750, 'connection_failed'),
      heartbeat(98_250, CUT),
      until(98_250, 'offline'),
      heartbeat(120_750, OK(KEPT())),
      granted(120_750, 'online'),
      heartbeat(150_750, OK(KEPT())),
    ],
  },
  {
    name: 'a heartbeat that is not answered counts as failed after 15 seconds',
    steps: [...start(), heartbeat(30_000), { at: 45_000, fail: 'timed_out' }, heartbeat(45_750, OK(KEPT()))],
  },
  {
    name: 'a busy service is asked when it says',
    steps: [
      ...start(),
      heartbeat(30_000, REFUSED(429, 'rate_limit_exceeded', { headers: { 'retry-after': '20' } })),
      heartbeat(50_500, OK(KEPT())),
      heartbeat(80_500, OK(KEPT())),
    ],
  },
  {
    name: 'a heartbeat waits no longer than its interval, whatever the service says',
    steps: [
      ...start(),
      heartbeat(30_000, REFUSED(503, 'service_unavailable', { headers: { 'retry-after': '300' } })),
      heartbeat(90_500, OK(KEPT())),
      heartbeat(120_500, OK(KEPT())),
    ],
  },
  {
    name: 'the page of a proxy does not say when the next heartbeat is sent',
    steps: [
      ...start(),
      heartbeat(30_000, RAW(503, '<html>Back soon</html>', { 'content-type': 'text/html', 'retry-after': '300' })),
      heartbeat(30_750, OK(KEPT())),
      heartbeat(60_750, OK(KEPT())),
    ],
  },
  {
    name: 'an outage longer than the life of the token ends the right to run, and its end brings it back',
    steps: [
      ...start(TWO_MINUTES, UNTIL_120),
      ...[30_000, 30_750, 32_250, 35_250, 41_250, 53_250].map((at) => heartbeat(at, CUT)),
      heartbeat(75_750, CUT),
      offline(75_750, 'connection_failed', iso(120_000)),
      heartbeat(98_250, CUT),
      lost(120_000, 'offline_too_long', false),
      acquire(120_000, CUT),
      acquire(165_000, OK(SEAT(), 200)),
      granted(165_000, 'reacquired'),
      heartbeat(195_000, OK(KEPT())),
    ],
  },
  {
    name: 'a laptop that slept for a night asks at once, and gets another session',
    steps: [
      ...start(),
      heartbeat(30_000, OK(KEPT())),
      { at: 40_000, sleep_seconds: 28_800 },
      call(40_000, 'wake'),
      heartbeat(40_000, TIMEOUT),
      acquire(40_000, OK(OTHER_SEAT, 201)),
      granted(40_000, 'reacquired', OTHER),
      heartbeat(70_000, OK(KEPT({}, OTHER_SESSION)), OTHER_SESSION),
    ],
  },
  {
    name: 'a laptop that slept longer than its token lives and finds no network stops',
    steps: [
      ...start(),
      { at: 10_000, sleep_seconds: 86_400 },
      call(10_000, 'wake'),
      heartbeat(10_000, CUT),
      lost(10_000, 'offline_too_long', false),
      acquire(10_750, OK(OTHER_SEAT, 201)),
      granted(10_750, 'reacquired', OTHER),
    ],
  },
  {
    name: 'a time of day that jumps ahead costs no seat while the service answers',
    steps: [
      ...start(),
      { at: 10_000, wall_jump_seconds: 172_800 },
      call(10_000, 'wake'),
      heartbeat(10_000, OK(KEPT())),
      heartbeat(40_000, OK(KEPT())),
      until(69_999, 'held'),
    ],
  },
  {
    name: 'a time of day that is set back does not lengthen the life of the token',
    steps: [
      ...start(TWO_MINUTES, UNTIL_120),
      { at: 10_000, wall_jump_seconds: -3_600 },
      ...[30_000, 30_750, 32_250, 35_250, 41_250, 53_250].map((at) => heartbeat(at, CUT)),
      heartbeat(75_750, CUT),
      offline(75_750, 'connection_failed', iso(120_000)),
      heartbeat(98_250, CUT),
      lost(120_000, 'offline_too_long', false),
      acquire(120_000),
    ],
  },
  {
    name: 'a network that is back is used at once',
    steps: [
      ...start(),
      heartbeat(30_000, CUT),
      heartbeat(30_750, CUT),
      call(31_000, 'wake'),
      heartbeat(31_000, OK(KEPT())),
      until(60_999, 'held'),
    ],
  },
];
