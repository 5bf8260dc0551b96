import { activate, continueAcquiring, takeAcquire, takeActivation } from './acquire-seat.ts';
import { checkExpiry, continueHolding, takeHeartbeat, takeOfflineAnswer, takeRevocations } from './hold-seat.ts';
import { TOKEN_REFUSED } from './keeper-rules.ts';
import { type InFlight, KeeperState, type Phase } from './keeper-state.ts';
import type { Effect, HeldSeat, KeeperConfig, Moment, Outcome, TimerName } from './keeper-types.ts';
import { continueReleasing, giveBack, takeWhileReleasing } from './leave-seat.ts';
import type { ServerClock } from './server-clock.ts';

/**
 * The state machine of docs/reference/seat-keeper.md. It has no clock and no input or output: each method takes an
 * event and its time, and returns actions. At most one request is in flight, and the timer `next` only runs while none
 * is.
 */
export class SeatMachine {
  readonly #state: KeeperState;

  constructor(config: KeeperConfig, clock: ServerClock, stored?: HeldSeat) {
    this.#state = new KeeperState(config, clock, stored);
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** The seat that the program may use. */
  get seat(): HeldSeat | undefined {
    return this.#state.seat;
  }

  get isOffline(): boolean {
    return this.#state.isOffline;
  }

  start(now: Moment): Effect[] {
    const state = this.#state;
    state.waitUntilMs = now.monoMs + (state.config.waitSeconds ?? 0) * 1000;
    if (state.config.activation === 'needed') {
      activate(state, now);
    } else {
      state.acquire(now);
    }
    return state.flush();
  }

  /** A request ended. Answers to requests that were abandoned change nothing. */
  answered(id: number, outcome: Outcome, now: Moment): Effect[] {
    const state = this.#state;
    const { inFlight } = state;
    if (inFlight?.id === id) {
      state.inFlight = undefined;
      if (this.#mayRefreshToken(inFlight, outcome)) {
        state.send(inFlight.request, now, true);
      } else {
        this.#take(inFlight, outcome, now);
      }
    }
    return state.flush();
  }

  timer(name: TimerName, now: Moment): Effect[] {
    if (name === 'next') {
      this.#next(now);
    } else if (checkExpiry(this.#state, now)) {
      this.#next(now);
    }
    return this.#state.flush();
  }

  /** The machine may have slept, or is online again: stop waiting. */
  wake(now: Moment): Effect[] {
    const request = this.#state.inFlight?.request;
    if (request?.kind === 'poll' || request?.kind === 'heartbeat') {
      this.#state.abandon();
    }
    this.#next(now);
    return this.#state.flush();
  }

  /** Gives back the seat or the place in line, or stops requesting. */
  release(now: Moment): Effect[] {
    const state = this.#state;
    if (state.isReleasing || state.phase === 'ended') {
      return [];
    }
    state.isReleasing = true;
    state.stopTimers();
    // The answer to an acquire may be a seat, which has to be given back.
    if (state.inFlight?.request.kind !== 'acquire') {
      state.abandon();
      giveBack(state, now);
    }
    return state.flush();
  }

  /** The program ends. An offline seat stays for its next run. */
  exit(now: Moment): Effect[] {
    const state = this.#state;
    const offlineUntilMs = state.seat?.offlineUntilMs ?? 0;
    if (state.isReleasing || offlineUntilMs <= state.clock.nowMs(now)) {
      return this.release(now);
    }
    state.finish(false);
    return state.flush();
  }

  /** Requests that the seat needs no heartbeat for this time. */
  takeOffline(seconds: number, now: Moment): Effect[] {
    const state = this.#state;
    state.wantsOffline = seconds;
    if (state.phase !== 'held' || state.isReleasing) {
      state.answerOffline('not_held');
    } else {
      this.#next(now);
    }
    return state.flush();
  }

  #next(now: Moment): void {
    const state = this.#state;
    if (state.inFlight !== undefined || state.phase === 'ended') {
      return;
    }
    if (state.isReleasing) {
      continueReleasing(state, now);
    } else if (state.phase === 'held') {
      continueHolding(state, now);
    } else {
      continueAcquiring(state, now);
    }
  }

  #take(inFlight: InFlight, outcome: Outcome, now: Moment): void {
    const state = this.#state;
    const { kind } = inFlight.request;
    if (state.isReleasing) {
      takeWhileReleasing(state, inFlight.request, outcome, now);
    } else if (kind === 'activate') {
      takeActivation(state, outcome, now);
    } else if (kind === 'heartbeat') {
      takeHeartbeat(state, outcome, now);
    } else if (kind === 'revocations') {
      takeRevocations(state, outcome, now);
    } else if (state.phase === 'held') {
      takeOfflineAnswer(state, outcome, now);
    } else {
      takeAcquire(state, inFlight, outcome, now);
    }
  }

  #mayRefreshToken({ hasFreshToken }: InFlight, outcome: Outcome): boolean {
    const isRefused = outcome.kind === 'refused' && TOKEN_REFUSED.has(outcome.code);
    return isRefused && this.#state.config.canRefreshToken && !hasFreshToken;
  }
}
