import { grant, resume } from './hold-seat.ts';
import {
  LEAST_POLL_MS,
  MOST_ACQUIRE_PAUSE_MS,
  MOST_LOST_PAUSE_MS,
  MOST_POLL_PAUSE_MS,
  POLL_TIMEOUT_SECONDS,
  retryMs,
  SESSION_ENDED,
  TOKEN_REFUSED,
} from './keeper-rules.ts';
import type { Failed, InFlight, KeeperState, Refused } from './keeper-state.ts';
import type { KeeperRequest, Moment, Outcome, Place } from './keeper-types.ts';

export function activate(state: KeeperState, now: Moment): void {
  state.phase = 'activating';
  state.mayActivateAgain = false;
  state.send({ kind: 'activate' }, now);
}

/** The action of the timer `next` while there is no seat. */
export function continueAcquiring(state: KeeperState, now: Moment): void {
  if (state.phase === 'activating') {
    activate(state, now);
  } else if (state.phase === 'waiting' && state.place !== undefined) {
    const timeoutSeconds = state.isBusy ? 0 : POLL_TIMEOUT_SECONDS;
    state.send({ kind: 'poll', waitId: state.place.waitId, timeoutSeconds }, now);
  } else {
    state.acquire(now);
  }
}

export function takeActivation(state: KeeperState, outcome: Outcome, now: Moment): void {
  if (outcome.kind === 'done') {
    state.failures = 0;
    state.acquire(now);
  } else if (outcome.kind === 'failed') {
    retryFirst(state, outcome, now);
  } else if (outcome.kind === 'refused') {
    state.fail(outcome);
  }
}

/** The answer to an acquire or a poll. */
export function takeAcquire(state: KeeperState, { request, sentMs }: InFlight, outcome: Outcome, now: Moment): void {
  if (outcome.kind === 'granted') {
    grant(state, outcome.seat, state.isSettled ? 'reacquired' : 'acquired', now);
  } else if (outcome.kind === 'placed') {
    wait(state, outcome.place, { request, sentMs }, now);
  } else if (outcome.kind === 'wait_ended') {
    takeEndOfWait(state, outcome, now);
  } else if (outcome.kind === 'failed') {
    retry(state, request, outcome, now);
  } else if (outcome.kind === 'refused') {
    takeRefusal(state, request, outcome, now);
  }
}

function takeRefusal(state: KeeperState, request: KeeperRequest, refusal: Refused, now: Moment): void {
  const isGone = request.kind === 'poll' && SESSION_ENDED.has(refusal.code);
  if (isGone || (state.isSettled && refusal.code === 'no_seats_available')) {
    acquireLater(state, undefined, now);
  } else if (state.mayActivateAgain && TOKEN_REFUSED.has(refusal.code)) {
    activate(state, now);
  } else {
    state.fail(refusal);
  }
}

function retry(state: KeeperState, request: KeeperRequest, failure: Failed, now: Moment): void {
  if (request.kind === 'poll' && now.monoMs <= state.waitUntilMs + RESERVED_MS) {
    state.isBusy = failure.code === 'service_unavailable';
    state.pause(Math.min(RESERVED_MS / 2, retryMs(failure.retryAfterSeconds, state.fails(), MOST_POLL_PAUSE_MS, now)));
  } else if (state.isSettled) {
    acquireLater(state, failure.retryAfterSeconds, now);
  } else if (state.stored === undefined) {
    retryFirst(state, failure, now);
  } else {
    resume(state, state.stored, failure, now);
  }
}

/** A free seat is reserved for this time. */
const RESERVED_MS = 30_000;

/** Before the first seat, the program does not wait indefinitely for a service that does not answer. */
function retryFirst(state: KeeperState, failure: Failed, now: Moment): void {
  const delayMs = retryMs(failure.retryAfterSeconds, state.fails(), MOST_ACQUIRE_PAUSE_MS, now);
  if (now.monoMs + delayMs > state.failingSinceMs + state.config.timeoutSeconds * 1000) {
    state.fail(failure);
  } else {
    state.pause(delayMs);
  }
}

/** The program that had a seat stops for now, and the keeper keeps asking for another. */
function acquireLater(state: KeeperState, retryAfterSeconds: number | undefined, now: Moment): void {
  state.place = undefined;
  if (state.isSettled) {
    state.loseForNow();
  } else {
    state.phase = 'acquiring';
  }
  state.pause(retryMs(retryAfterSeconds, state.fails(), MOST_LOST_PAUSE_MS, now));
}

function wait(state: KeeperState, place: Place, asked: Pick<InFlight, 'request' | 'sentMs'>, now: Moment): void {
  const { request, sentMs } = asked;
  state.failures = 0;
  if (state.isSettled) {
    state.loseForNow();
    state.waitUntilMs = request.kind === 'acquire' ? now.monoMs + (request.waitSeconds ?? 0) * 1000 : state.waitUntilMs;
  }
  state.phase = 'waiting';
  if (state.place?.position !== place.position || state.place.waitId !== place.waitId) {
    state.tell({ type: 'waiting', position: place.position, expiresAt: place.expiresAt });
  }
  state.place = place;
  if (request.kind === 'acquire') {
    state.isBusy = false;
    continueAcquiring(state, now);
  } else if (state.isBusy) {
    state.isBusy = false;
    state.pause(place.pollAfterSeconds * 1000);
  } else {
    // A service that is about to stop answers immediately.
    state.pause(LEAST_POLL_MS - (now.monoMs - sentMs));
  }
}

/** The wait ended without a seat. If the machine slept when it was its turn, it may join again. */
function takeEndOfWait(state: KeeperState, end: Extract<Outcome, { kind: 'wait_ended' }>, now: Moment): void {
  const isCanceled = end.status === 'canceled' && end.reason !== undefined && end.reason !== 'left';
  if (isCanceled && end.reason !== undefined) {
    state.fail({ code: end.reason });
  } else if (state.isSettled) {
    acquireLater(state, undefined, now);
  } else if (end.status === 'expired' && state.waitUntilMs - now.monoMs >= 1000) {
    state.acquire(now);
  } else {
    state.fail({ code: end.status === 'expired' ? 'wait_expired' : 'wait_canceled' });
  }
}
