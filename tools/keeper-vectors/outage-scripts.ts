import type { Script } from './script.ts';
import {
  acquire,
  activate,
  CUT,
  call,
  ended,
  granted,
  heartbeat,
  iso,
  KEPT,
  keys,
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
import { OTHER_SESSION } from './tokens.ts';

const DAY = 86_400_000;
const TWO_MINUTES = SEAT('@token.two_minutes', { expires_at: iso(120_000) });
const UNTIL_120 = { expires_at: iso(120_000) };
const OTHER = { session_id: OTHER_SESSION, expires_at: iso(2 * DAY) };
const OTHER_SEAT = SEAT('@token.other_session', OTHER);
const FORTNIGHT = { expires_at: iso(14 * DAY) };
const OFFLINE_SEAT = SEAT('@token.offline_14_days', { ...FORTNIGHT, offline_until: iso(14 * DAY) });
const STORED_SEAT = { license_token: '@token.offline_14_days', heartbeat_interval: 60, offline_until: iso(14 * DAY) };
const STORED = { keys: '@keys.first', revocations: '@list.empty', seen_at: iso(-1000), seat: STORED_SEAT };
const TIMEOUT = REFUSED(409, 'session_timeout', { details: { last_heartbeat: iso(0), timeout_at: iso(180_000) } });
const RELEASED = REFUSED(409, 'session_released', { details: { released_at: iso(20_000) } });
const DONE = OK({ session_id: SEAT().session_id, status: 'released', released_at: iso(10_000) });
const ACTIVATED = OK(
  { activation_token: 'svc_act_1', activation_id: 'act_1', license_id: 'lic_1', product: 'studio' },
  201,
);

/** Without a network, asleep, and on machines without an account. */
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
    name: 'an outage longer than the interval is told, and so is its end',
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
  {
    name: 'a machine without a token is activated with the license key',
    config: { tokens: [] },
    steps: [
      activate(0, ACTIVATED),
      { at: 0, stored: { activation_token: 'svc_act_1' } },
      acquire(0, OK(SEAT(), 201), {}, { token: 'svc_act_1' }),
      keys(0),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
      heartbeat(30_000, OK(KEPT()), undefined, { token: 'svc_act_1' }),
    ],
  },
  {
    name: 'an activation that is refused ends the acquire',
    config: { tokens: [] },
    steps: [
      activate(0, REFUSED(409, 'activation_limit_reached', { details: { max_activations: 50 } })),
      result(0, 'activation_limit_reached'),
      ended(0),
    ],
  },
  {
    name: 'an activation waits for its turn under the limit',
    config: { tokens: [], timeout_seconds: 120 },
    steps: [
      activate(0, REFUSED(429, 'rate_limit_exceeded', { headers: { 'retry-after': '60' } })),
      activate(60_500, ACTIVATED),
      acquire(60_500, OK(SEAT(), 201), {}, { token: 'svc_act_1' }),
      keys(60_500),
      granted(60_500, 'acquired'),
      result(60_500, 'granted'),
      list(60_500),
    ],
  },
  {
    name: 'a stored activation is used, and replaced once if it is refused',
    config: { tokens: [] },
    stored: { keys: '@keys.first', revocations: '@list.empty', seen_at: iso(-1000), activation_token: 'svc_act_0' },
    steps: [
      acquire(0, REFUSED(401, 'invalid_token'), {}, { token: 'svc_act_0' }),
      activate(0, ACTIVATED),
      acquire(0, OK(SEAT(), 201), {}, { token: 'svc_act_1' }),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
    ],
  },
  {
    name: 'an activation that an admin revoked ends the seat',
    config: { tokens: [] },
    stored: { keys: '@keys.first', revocations: '@list.empty', seen_at: iso(-1000), activation_token: 'svc_act_0' },
    steps: [
      acquire(0, OK(SEAT(), 201), {}, { token: 'svc_act_0' }),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
      heartbeat(30_000, REFUSED(401, 'invalid_token'), undefined, { token: 'svc_act_0' }),
      lost(30_000, 'invalid_token', true),
      ended(30_000),
    ],
  },
];
