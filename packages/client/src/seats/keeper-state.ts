import type {
  Effect,
  HeldSeat,
  KeeperConfig,
  KeeperEvent,
  KeeperRequest,
  Moment,
  Outcome,
  Place,
} from './keeper-types.ts';
import type { ServerClock } from './server-clock.ts';

export type Phase = 'activating' | 'acquiring' | 'waiting' | 'held' | 'lost' | 'releasing' | 'ended';

export interface InFlight {
  readonly id: number;
  readonly request: KeeperRequest;
  readonly sentMs: number;
  readonly hasFreshToken: boolean;
}

export type Failed = Extract<Outcome, { kind: 'failed' }>;
export type Refused = Extract<Outcome, { kind: 'refused' }>;

/** The state of the state machine, and operations used everywhere. */
export class KeeperState {
  readonly config: KeeperConfig;
  readonly clock: ServerClock;
  phase: Phase = 'acquiring';
  inFlight: InFlight | undefined;
  seat: HeldSeat | undefined;
  /** A seat from an earlier run of the program with a token that is still valid. */
  stored: HeldSeat | undefined;
  place: Place | undefined;
  /** Consecutive failed requests. */
  failures = 0;
  /** When the first of them was sent. */
  failingSinceMs = 0;
  waitUntilMs = 0;
  /** When the service last confirmed the seat. */
  keptMs = 0;
  nextHeartbeatMs = 0;
  listedMs = Number.NEGATIVE_INFINITY;
  isOffline = false;
  /** Whether the first acquire has succeeded. */
  isSettled = false;
  mayActivateAgain: boolean;
  /** Why the session ended, until another one is granted. */
  cause: string | undefined;
  isReleasing = false;
  wantsOffline: number | undefined;
  /** Whether the service had no room for another request that waits. */
  isBusy = false;
  #effects: Effect[] = [];
  #lastId = 0;

  constructor(config: KeeperConfig, clock: ServerClock, stored: HeldSeat | undefined) {
    this.config = config;
    this.clock = clock;
    this.stored = stored;
    this.mayActivateAgain = config.activation === 'stored';
  }

  flush(): Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  add(effect: Effect): void {
    this.#effects.push(effect);
  }

  tell(event: KeeperEvent): void {
    this.add({ do: 'tell', event });
  }

  send(request: KeeperRequest, now: Moment, hasFreshToken = false): void {
    this.#lastId += 1;
    if (this.failures === 0) {
      this.failingSinceMs = now.monoMs;
    }
    this.inFlight = { id: this.#lastId, request, sentMs: now.monoMs, hasFreshToken };
    this.add({ do: 'timer', name: 'next', delayMs: undefined });
    this.add({ do: 'send', id: this.#lastId, request, refreshToken: hasFreshToken });
  }

  abandon(): void {
    if (this.inFlight !== undefined) {
      this.add({ do: 'abandon', id: this.inFlight.id });
      this.inFlight = undefined;
    }
  }

  /** Waits before the next request. */
  pause(delayMs: number): void {
    this.add({ do: 'timer', name: 'next', delayMs: Math.max(0, delayMs) });
  }

  stopTimers(): void {
    this.add({ do: 'timer', name: 'next', delayMs: undefined });
    this.add({ do: 'timer', name: 'expiry', delayMs: undefined });
  }

  /** Counts a failed request, and returns the number of consecutive ones. */
  fails(): number {
    this.failures += 1;
    return this.failures;
  }

  /** Requests a seat. The first acquire and its repetitions share the time for which the program wants to wait. */
  acquire(now: Moment): void {
    const { waitSeconds, offlineSeconds } = this.config;
    const left = Math.floor((this.waitUntilMs - now.monoMs) / 1000);
    this.phase = 'acquiring';
    this.place = undefined;
    const wait = waitSeconds === undefined || this.isSettled ? waitSeconds : Math.max(1, left);
    this.send({ kind: 'acquire', waitSeconds: wait, offlineSeconds }, now);
  }

  /** The program can have no seat, or must stop using the one that it had. */
  fail({ code, error }: { code: string; error?: unknown }): void {
    if (this.isSettled) {
      this.tell({ type: 'lost', reason: code, isFinal: true });
    } else {
      this.add({ do: 'reject', code, error });
    }
    this.finish(true);
  }

  finish(forgets: boolean): void {
    this.abandon();
    this.phase = 'ended';
    this.seat = undefined;
    this.stopTimers();
    if (forgets) {
      this.add({ do: 'save', seat: undefined });
    }
    this.answerOffline('ended');
    this.add({ do: 'end' });
  }

  answerOffline(code: string | undefined, error?: unknown): void {
    if (this.wantsOffline !== undefined) {
      this.wantsOffline = undefined;
      this.add({ do: 'answerOffline', code, error });
    }
  }

  /** Tells the program, once, that it must stop for now. */
  loseForNow(): void {
    if (this.cause !== undefined && this.seat !== undefined) {
      this.seat = undefined;
      this.tell({ type: 'lost', reason: this.cause, isFinal: false });
      this.add({ do: 'timer', name: 'expiry', delayMs: undefined });
      this.add({ do: 'save', seat: undefined });
    }
    this.phase = 'lost';
  }
}
