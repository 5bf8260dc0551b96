import { inLine } from './acquire-scripts.ts';
import type { Script } from './script.ts';
import {
  acquire,
  CUT,
  call,
  ended,
  GRANTED,
  granted,
  heartbeat,
  KEPT,
  keys,
  list,
  OK,
  PLACE,
  poll,
  REFUSED,
  result,
  SEAT,
  until,
  waiting,
} from './steps.ts';

const config = { wait_seconds: 600 };
const STILL = (position: number) => OK({ status: 'waiting', ...PLACE(position) });

/** In line. */
export const WAIT_SCRIPTS: readonly Script[] = [
  {
    name: 'a program waits in line until it is its turn',
    config,
    steps: [
      ...inLine(),
      { at: 25_000, ...STILL(3) },
      poll(25_000),
      { at: 40_000, ...STILL(1) },
      waiting(40_000, 1),
      poll(40_000),
      { at: 41_000, ...OK(GRANTED()) },
      keys(41_000),
      granted(41_000, 'acquired'),
      result(41_000, 'granted'),
      list(41_000),
      heartbeat(71_000, OK(KEPT())),
    ],
  },
  {
    name: 'an answer that comes at once is not asked for again at once',
    config,
    steps: [...inLine(), { at: 200, ...STILL(3) }, poll(1_000), { at: 1_000, ...STILL(3) }, poll(2_000)],
  },
  {
    name: 'a wait that ended without a seat ends the acquire',
    config: { wait_seconds: 20 },
    steps: [
      acquire(0, OK(PLACE(3), 202), { wait_seconds: 20 }),
      waiting(0, 3),
      poll(0),
      { at: 20_000, ...OK({ wait_id: PLACE(1).wait_id, status: 'expired' }) },
      result(20_000, 'wait_expired'),
      ended(20_000),
    ],
  },
  {
    name: 'a place that was lost before its time is joined again for the rest of the time',
    config,
    steps: [
      ...inLine(),
      { at: 25_000, ...OK({ wait_id: PLACE(1).wait_id, status: 'expired' }) },
      acquire(25_000, OK(PLACE(9), 202), { wait_seconds: 575 }),
      waiting(25_000, 9),
      poll(25_000),
    ],
  },
  {
    name: 'a wait that was canceled for a reason ends with the reason',
    config,
    steps: [
      ...inLine(),
      { at: 3_000, ...OK({ wait_id: PLACE(1).wait_id, status: 'canceled', reason: 'license_suspended' }) },
      result(3_000, 'license_suspended'),
      ended(3_000),
    ],
  },
  {
    name: 'a wait that another copy of the program left ends',
    config,
    steps: [
      ...inLine(),
      { at: 3_000, ...OK({ wait_id: PLACE(1).wait_id, status: 'canceled', reason: 'left' }) },
      result(3_000, 'wait_canceled'),
      ended(3_000),
    ],
  },
  {
    name: 'a refusal while waiting ends the acquire',
    config,
    steps: [
      ...inLine(),
      { at: 3_000, ...REFUSED(403, 'license_revoked') },
      result(3_000, 'license_revoked'),
      ended(3_000),
    ],
  },
  {
    name: 'a poll that fails is repeated while the seat is reserved',
    config,
    steps: [
      ...inLine(),
      { at: 5_000, ...CUT },
      poll(5_750, CUT),
      poll(7_250, CUT),
      poll(10_250, CUT),
      poll(16_250, CUT),
      poll(23_750, OK(GRANTED())),
      keys(23_750),
      granted(23_750, 'acquired'),
      result(23_750, 'granted'),
      list(23_750),
    ],
  },
  {
    name: 'a poll that is not answered counts as failed after 35 seconds',
    config,
    steps: [...inLine(), { at: 35_000, fail: 'timed_out' }, poll(35_750)],
  },
  {
    name: 'a service without room for long polls is polled briefly',
    config,
    steps: [
      ...inLine(),
      { at: 100, ...REFUSED(503, 'service_unavailable', { headers: { 'retry-after': '3' } }) },
      poll(3_600, STILL(3), 0),
      poll(6_600),
    ],
  },
  {
    name: 'a wait that the service does not know is joined again',
    config,
    steps: [
      ...inLine(),
      { at: 5_000, ...REFUSED(404, 'not_found') },
      acquire(5_750, OK(PLACE(4), 202), { wait_seconds: 594 }),
      waiting(5_750, 4),
      poll(5_750),
    ],
  },
  {
    name: 'a machine that slept polls at once',
    config,
    steps: [
      ...inLine(),
      { at: 5_000, sleep_seconds: 600 },
      call(5_000, 'wake'),
      poll(5_000),
      until(6_000, 'acquiring'),
    ],
  },
  {
    name: 'a seat that was granted while the answer was lost is still there',
    config,
    steps: [
      ...inLine(),
      { at: 5_000, ...CUT },
      poll(5_750, OK(GRANTED('@token.valid', { session_id: SEAT().session_id }))),
      keys(5_750),
      granted(5_750, 'acquired'),
      result(5_750, 'granted'),
      list(5_750),
    ],
  },
];
