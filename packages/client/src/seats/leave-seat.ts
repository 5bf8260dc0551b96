import { backoffMs, MOST_ACQUIRE_PAUSE_MS, RELEASE_ATTEMPTS } from './keeper-rules.ts';
import type { KeeperState } from './keeper-state.ts';
import type { KeeperRequest, Moment, Outcome } from './keeper-types.ts';

/** Gives back the seat or the place in line. */
export function giveBack(state: KeeperState, now: Moment): void {
  const { seat, place } = state;
  state.phase = 'releasing';
  state.failures = 0;
  if (seat !== undefined) {
    state.send({ kind: 'release', sessionId: seat.sessionId }, now);
  } else if (place === undefined) {
    state.finish(true);
  } else {
    state.send({ kind: 'leave', waitId: place.waitId }, now);
  }
}

/** An answer that arrives when the program no longer wants a seat. */
export function takeWhileReleasing(state: KeeperState, request: KeeperRequest, outcome: Outcome, now: Moment): void {
  if (outcome.kind === 'granted') {
    state.seat = outcome.seat;
    giveBack(state, now);
  } else if (outcome.kind === 'placed') {
    state.place = outcome.place;
    giveBack(state, now);
  } else if (outcome.kind === 'failed' && state.failures < RELEASE_ATTEMPTS - 1 && mayRepeat(state)) {
    state.pause(backoffMs(state.fails(), MOST_ACQUIRE_PAUSE_MS, now.random));
  } else if (outcome.kind === 'refused' && outcome.code === 'conflict' && request.kind === 'leave') {
    // It was this machine's turn at that moment. The answer names the session, which is released next.
    state.send({ kind: 'poll', waitId: request.waitId, timeoutSeconds: 0 }, now);
  } else {
    state.finish(true);
  }
}

/** The action of the timer `next` while releasing. */
export function continueReleasing(state: KeeperState, now: Moment): void {
  const { failures } = state;
  giveBack(state, now);
  state.failures = failures;
}

/** Nothing is known of a first acquire whose answer was lost. Its seat, if any, times out. */
function mayRepeat({ seat, place }: KeeperState): boolean {
  return seat !== undefined || place !== undefined;
}
