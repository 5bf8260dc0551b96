import {
  heartbeatDelayMs,
  LONGEST_TIMER_MS,
  mostHeartbeatPauseMs,
  REVOCATIONS_EVERY_MS,
  retryMs,
  SESSION_ENDED,
} from './keeper-rules.ts';
import type { Failed, KeeperState } from './keeper-state.ts';
import type { GrantReason, HeldSeat, Moment, Outcome } from './keeper-types.ts';

/** The program has a seat. */
export function grant(state: KeeperState, seat: HeldSeat, reason: GrantReason, now: Moment): void {
  state.phase = 'held';
  state.seat = seat;
  state.place = undefined;
  state.stored = undefined;
  state.cause = undefined;
  state.isOffline = false;
  state.add({ do: 'save', seat });
  state.tell({ type: 'granted', reason, seat });
  if (!state.isSettled) {
    state.isSettled = true;
    state.add({ do: 'resolve' });
  }
  checkExpiry(state, now);
  confirm(state, now);
}

/** The service cannot be reached, but a token from an earlier run of the program is still valid. */
export function resume(state: KeeperState, seat: HeldSeat, failure: Failed, now: Moment): void {
  state.phase = 'held';
  state.seat = seat;
  state.stored = undefined;
  state.isOffline = true;
  state.isSettled = true;
  state.keptMs = now.monoMs;
  state.tell({ type: 'granted', reason: 'resumed', seat });
  state.tell({ type: 'offline', reason: failure.code, seat });
  state.add({ do: 'resolve' });
  state.failures = 0;
  checkExpiry(state, now);
  pauseAfterFailure(state, seat, failure, now);
}

/** The action of the timer `next` while there is a seat. */
export function continueHolding(state: KeeperState, now: Moment): void {
  if (state.seat === undefined) {
    return;
  }
  if (state.wantsOffline !== undefined) {
    state.send({ kind: 'acquire', waitSeconds: undefined, offlineSeconds: state.wantsOffline }, now);
  } else if (state.cause !== undefined) {
    state.acquire(now);
  } else {
    state.send({ kind: 'heartbeat', sessionId: state.seat.sessionId }, now);
  }
}

export function takeHeartbeat(state: KeeperState, outcome: Outcome, now: Moment): void {
  const { seat } = state;
  if (seat === undefined) {
    return;
  }
  if (outcome.kind === 'kept') {
    keep(state, { ...seat, ...outcome.token }, outcome.token !== undefined, now);
  } else if (outcome.kind === 'failed') {
    missHeartbeat(state, seat, outcome, now);
  } else if (outcome.kind === 'refused' && SESSION_ENDED.has(outcome.code)) {
    state.cause = outcome.code;
    state.failures = 0;
    // Another copy of the program on this machine may have released the session, or an admin. Only the latter is listed.
    if (outcome.code === 'session_released') {
      state.send({ kind: 'revocations' }, now);
    } else {
      state.acquire(now);
    }
  } else if (outcome.kind === 'refused') {
    state.fail(outcome);
  }
}

export function takeRevocations(state: KeeperState, outcome: Outcome, now: Moment): void {
  const { seat } = state;
  if (seat === undefined) {
    return;
  }
  if (outcome.kind === 'listed') {
    state.listedMs = now.monoMs;
    if (outcome.revoked.has(seat.sessionId) || outcome.revoked.has(seat.licenseId)) {
      state.fail({ code: 'revoked' });
      return;
    }
  }
  if (state.cause === undefined) {
    awaitNextHeartbeat(state, now);
  } else {
    state.acquire(now);
  }
}

/** The answer to an acquire that should take the seat offline. If it failed, the seat stays unchanged. */
export function takeOfflineAnswer(state: KeeperState, outcome: Outcome, now: Moment): void {
  if (outcome.kind === 'granted') {
    state.answerOffline(undefined);
    grant(state, outcome.seat, 'renewed', now);
  } else {
    const { code, error } = outcome.kind === 'failed' || outcome.kind === 'refused' ? outcome : UNEXPECTED;
    state.answerOffline(code, error);
    awaitNextHeartbeat(state, now);
  }
}

const UNEXPECTED = { code: 'unexpected_answer', error: undefined };

/** Ends the seat when its token is no longer valid. If the timer fires early, it is set again. */
export function checkExpiry(state: KeeperState, now: Moment): boolean {
  const { seat } = state;
  if (seat === undefined) {
    return false;
  }
  const leftMs = seat.expiresAtMs - state.clock.nowMs(now);
  if (leftMs > 0) {
    state.add({ do: 'timer', name: 'expiry', delayMs: Math.min(leftMs, LONGEST_TIMER_MS) });
    return false;
  }
  if (state.cause === undefined) {
    state.abandon();
    state.cause = 'offline_too_long';
  }
  state.loseForNow();
  state.answerOffline('offline_too_long');
  return true;
}

function keep(state: KeeperState, seat: HeldSeat, isRenewed: boolean, now: Moment): void {
  const wasOffline = state.isOffline;
  state.seat = seat;
  state.isOffline = false;
  if (isRenewed) {
    state.add({ do: 'save', seat });
  }
  if (wasOffline) {
    state.tell({ type: 'granted', reason: 'online', seat });
  }
  // Also because the clocks may have jumped since the timer was set.
  checkExpiry(state, now);
  confirm(state, now);
}

/** The service has just confirmed the seat. */
function confirm(state: KeeperState, now: Moment): void {
  if (state.seat === undefined) {
    return;
  }
  state.failures = 0;
  state.keptMs = now.monoMs;
  state.nextHeartbeatMs = now.monoMs + heartbeatDelayMs(state.seat.heartbeatIntervalSeconds, now.random);
  if (now.monoMs - state.listedMs >= REVOCATIONS_EVERY_MS) {
    state.send({ kind: 'revocations' }, now);
  } else {
    awaitNextHeartbeat(state, now);
  }
}

function awaitNextHeartbeat(state: KeeperState, now: Moment): void {
  if (state.wantsOffline === undefined) {
    state.pause(state.nextHeartbeatMs - now.monoMs);
  } else {
    continueHolding(state, now);
  }
}

function missHeartbeat(state: KeeperState, seat: HeldSeat, failure: Failed, now: Moment): void {
  if (checkExpiry(state, now)) {
    pauseAfterFailure(state, seat, failure, now);
    return;
  }
  // One lost request is not an outage: the program is notified when a heartbeat is overdue.
  if (!state.isOffline && now.monoMs - state.keptMs >= seat.heartbeatIntervalSeconds * 1000) {
    state.isOffline = true;
    state.tell({ type: 'offline', reason: failure.code, seat });
  }
  state.answerOffline(failure.code, failure.error);
  pauseAfterFailure(state, seat, failure, now);
}

function pauseAfterFailure(state: KeeperState, seat: HeldSeat, failure: Failed, now: Moment): void {
  const { heartbeatIntervalSeconds: interval } = seat;
  const { retryAfterSeconds: asked } = failure;
  // A busy service may ask for a pause that the seat would not survive.
  const retryAfterSeconds = asked === undefined ? undefined : Math.min(asked, interval);
  state.pause(retryMs(retryAfterSeconds, state.fails(), mostHeartbeatPauseMs(interval), now));
}
