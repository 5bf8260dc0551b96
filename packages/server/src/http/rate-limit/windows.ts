/**
 * The decision itself: pure, with the time passed in. Windows are fixed and anchored at the first request, because only
 * then is a client that waits until the announced reset sure to be allowed; sliding counters could still refuse it.
 */

/** How many requests a window of this length admits. Names are unique within a request: the headers list them. */
export interface WindowLimit {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

/** A unit of counting, for example a user in an organization or a client address, and its windows. */
export interface Subject {
  readonly key: string;
  readonly windows: readonly WindowLimit[];
}

/** The remembered use of a window. One that was never opened has `used` and `resetAtMs` at 0. */
export interface WindowUse {
  readonly window: WindowLimit;
  readonly used: number;
  readonly resetAtMs: number;
}

/** The state of a window after a decision. `used` includes the request if it was allowed. */
export interface WindowState {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAtMs: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** The instant of the decision by the clock that made it; waiting times are differences to it. */
  readonly decidedAtMs: number;
  /** The window with the fewest remaining, among equals the one that resets later. */
  readonly binding: WindowState;
  /** All windows, in the order of the subjects. */
  readonly windows: readonly WindowState[];
  readonly subjects: readonly Subject[];
}

/**
 * Decides all windows together: the request counts in every one or, if any is full, in none, so that requests over a
 * full minute do not use up the day. Without `enforce` it is counted and reported but always allowed. `uses` holds the
 * windows of all subjects in order.
 */
export function decide(
  subjects: readonly Subject[],
  uses: readonly WindowUse[],
  nowMs: number,
  enforce: boolean,
): Decision {
  const allowed = !enforce || haveRoom(uses, nowMs);
  const states: WindowState[] = [];
  for (const use of uses) {
    states.push(stateAfter(use, nowMs, allowed));
  }
  return conclude(subjects, states, nowMs, allowed);
}

/** Makes a decision from the final states, computed here or in Redis. */
export function conclude(
  subjects: readonly Subject[],
  windows: readonly WindowState[],
  decidedAtMs: number,
  allowed: boolean,
): Decision {
  return { allowed, decidedAtMs, binding: bindingWindow(windows), windows, subjects };
}

/** The state of a window with this `used`. Remaining stops at 0, regardless of unenforced requests. */
export function windowState(window: WindowLimit, used: number, resetAtMs: number): WindowState {
  const { name, limit, seconds } = window;
  return { name, limit, seconds, used, remaining: used < limit ? limit - used : 0, resetAtMs };
}

function haveRoom(uses: readonly WindowUse[], nowMs: number): boolean {
  for (const use of uses) {
    if (use.resetAtMs > nowMs && use.used >= use.window.limit) {
      return false;
    }
  }
  return true;
}

function stateAfter(use: WindowUse, nowMs: number, allowed: boolean): WindowState {
  const { window } = use;
  const added = allowed ? 1 : 0;
  const freshResetAtMs = nowMs + window.seconds * 1000;
  if (use.resetAtMs <= nowMs) {
    return windowState(window, added, freshResetAtMs);
  }
  // A window must not end later than one length from now. It would only if the clock was set back, and the client would
  // then stay locked out for as long as the clock was wrong.
  return windowState(window, use.used + added, Math.min(use.resetAtMs, freshResetAtMs));
}

function bindingWindow(windows: readonly WindowState[]): WindowState {
  let binding = windows[0];
  if (binding === undefined) {
    throw new Error('a rate-limit decision needs at least one window');
  }
  for (const window of windows) {
    const tighter = window.remaining < binding.remaining;
    if (tighter || (window.remaining === binding.remaining && window.resetAtMs > binding.resetAtMs)) {
      binding = window;
    }
  }
  return binding;
}
