import type { Entry, History } from './entry.ts';
import { ServiceTime } from './service-time.ts';

/**
 * Looks for impossible histories, knowing nothing but what clients saw. Every check is sound: what it reports is
 * proven, because an unknown outcome counts as possible and never as certain.
 */
export function checkIntervals(history: History): string[] {
  return [
    ...history.entries.filter((entry) => entry.result === 'fault').map((entry) => `fault: ${JSON.stringify(entry)}`),
    ...history.seats.flatMap((seats, license) => findOverAllocation(history, license, seats)),
    ...history.seats.flatMap((seats, license) => findFalseRefusals(history, license, seats)),
    ...findLostSeats(history),
  ];
}

interface Interval {
  from: number;
  to: number;
}

/** PostgreSQL rounds times to milliseconds, and its clock differs slightly from ours. */
const MARGIN_MS = 5;
/** How long a call may still take effect after its client has lost the connection. */
const AFTERLIFE_MS = 2_000;

/** More seats certainly held at one instant than exist. */
function findOverAllocation(history: History, license: number, seats: number): string[] {
  const steps = stepsOf([...sessionsOf(history, license).values()].flatMap((each) => certainlyHeld(each, history)));
  const highest = steps.reduce((most, step) => (step.count > most.count ? step : most), { at: 0, count: 0 });
  return highest.count > seats
    ? [`over-allocation: license ${license} has ${seats} seats, ${highest.count} were held at ${highest.at}`]
    : [];
}

/**
 * From the response to its acquire until a release was sent, or until the timeout after the last sign of life was sent.
 */
function certainlyHeld(entries: readonly Entry[], { timeoutMs }: History): Interval[] {
  const alive = entries.filter((entry) => entry.operation !== 'release' && entry.result === 'done');
  const acquires = alive.filter((entry) => entry.operation === 'acquire');
  const releases = entries.filter((entry) => entry.operation === 'release' && entry.result !== 'unsent');
  const from = Math.min(...acquires.map((entry) => entry.receivedAt));
  const lastSign = Math.max(...alive.map((entry) => entry.sentAt));
  const horizon = isOffline(entries) ? Number.POSITIVE_INFINITY : lastSign + timeoutMs - MARGIN_MS;
  const to = Math.min(horizon, ...releases.map((entry) => entry.sentAt));
  return from < to ? [{ from, to }] : [];
}

/** Refused with no_seats_available although fewer sessions than seats can have been active during the whole call. */
function findFalseRefusals(history: History, license: number, seats: number): string[] {
  const time = new ServiceTime(history.samples);
  const held = [...sessionsOf(history, license).values()].flatMap((each) => possiblyHeld(each, history, time));
  const unknown = history.entries
    .filter((each) => each.license === license && each.operation === 'acquire' && each.result === 'unknown')
    .map((each) => ({ from: each.sentAt, to: certainlyOver(each, history, time) }));
  // A seat may be reserved for a machine that waits, and a machine may hold one before it has its answer.
  const claims = history.entries
    .filter((each) => each.license === license && each.operation === 'claim')
    .map((each) => ({ from: each.sentAt, to: each.receivedAt }));
  const steps = stepsOf([...held, ...unknown, ...claims]);
  return history.entries
    .filter((each) => each.license === license && each.result === 'full')
    .flatMap((refused) => {
      const most = highestBetween(steps, refused.sentAt, refused.receivedAt);
      return most < seats
        ? [`false refusal: license ${license} has ${seats} seats, at most ${most} held: ${JSON.stringify(refused)}`]
        : [];
    });
}

/**
 * From when its acquire was sent until its release was answered, or until its last possible sign of life has timed out.
 */
function possiblyHeld(entries: readonly Entry[], history: History, time: ServiceTime): Interval[] {
  const signs = entries.filter((entry) => entry.operation !== 'release' && MAY_HAVE_HAPPENED.has(entry.result));
  const acquires = signs.filter((entry) => entry.operation === 'acquire');
  const releases = entries.filter((entry) => entry.operation === 'release' && entry.result === 'done');
  const from = Math.min(...acquires.map((entry) => entry.sentAt));
  const over = isOffline(entries)
    ? Number.POSITIVE_INFINITY
    : Math.max(...signs.map((entry) => certainlyOver(entry, history, time)));
  return [{ from, to: Math.min(over, ...releases.map((entry) => entry.receivedAt)) }];
}

function isOffline(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.isOffline === true);
}

const MAY_HAVE_HAPPENED = new Set(['done', 'unknown']);

/** When a session with this last sign of life is certainly over. */
function certainlyOver(sign: Entry, { timeoutMs }: History, time: ServiceTime): number {
  const latest = sign.result === 'done' ? sign.receivedAt : sign.receivedAt + AFTERLIFE_MS;
  return time.certainlyReached(time.atMost(latest) + timeoutMs + MARGIN_MS);
}

/**
 * Responses that a session is over which was certainly alive, by the service clock: an outage must not cost a session.
 */
function findLostSeats(history: History): string[] {
  const time = new ServiceTime(history.samples);
  const bySession = Map.groupBy(history.entries, (entry) => entry.sessionId);
  return [...bySession].flatMap(([sessionId, entries]) => {
    if (sessionId === undefined) {
      return [];
    }
    const alive = entries.filter((entry) => entry.operation !== 'release' && entry.result === 'done');
    const wasReleaseSent = entries.some((entry) => entry.operation === 'release' && entry.result !== 'unsent');
    return entries.flatMap((entry) => {
      const before = alive.filter((each) => each.sentAt < entry.sentAt).map((each) => each.sentAt);
      const deadline = time.atLeast(Math.max(...before)) + history.timeoutMs - MARGIN_MS;
      const isEarly = isOffline(entries) || time.atMost(entry.receivedAt) < deadline;
      const isLost = entry.result === 'timed-out' && isEarly;
      const isReleased = entry.result === 'released' && !wasReleaseSent;
      return isLost || isReleased ? [`lost seat: ${JSON.stringify({ entry, before: before.at(-1) })}`] : [];
    });
  });
}

function sessionsOf(history: History, license: number): Map<string, Entry[]> {
  const known = history.entries.filter((entry) => entry.license === license && entry.sessionId !== undefined);
  return Map.groupBy(known, (entry) => entry.sessionId ?? '');
}

interface Step {
  at: number;
  count: number;
}

/**
 * How many intervals overlap, from each moment that the number changes. An end comes before a start at the same moment.
 */
function stepsOf(intervals: readonly Interval[]): Step[] {
  const changes = intervals.flatMap(({ from, to }) => [
    { at: from, change: 1 },
    { at: to, change: -1 },
  ]);
  changes.sort((one, other) => one.at - other.at || one.change - other.change);
  let count = 0;
  return changes.map(({ at, change }) => {
    count += change;
    return { at, count };
  });
}

/** The highest number of overlapping intervals at any instant from `from` to `to`. */
function highestBetween(steps: readonly Step[], from: number, to: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle]?.at ?? 0) < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  let most = steps[low - 1]?.count ?? 0;
  for (let position = low; position < steps.length && (steps[position]?.at ?? 0) <= to; position += 1) {
    most = Math.max(most, steps[position]?.count ?? 0);
  }
  return most;
}
