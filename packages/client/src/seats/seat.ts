import type { FeatureValue } from './keeper-types.ts';
import { REAL_RUNTIME } from './real-runtime.ts';
import type { Runtime } from './runtime.ts';
import type { SeatEvent, SeatEventOf, SeatEventType } from './seat-events.ts';
import { SeatKeeper } from './seat-keeper.ts';
import type { SeatOptions } from './seat-options.ts';

/**
 * A seat that keeps itself: it sends heartbeats, survives outages, gets another session when one is lost, and is released
 * when the program ends.
 *
 * ```ts
 * const seat = await Seat.acquire({ baseUrl, token, licenseKey });
 * seat.on('lost', ({ reason }) => saveAndStop(reason));
 * ```
 */
export class Seat {
  readonly #keeper: SeatKeeper;

  /** Seats are created by `Seat.acquire`. */
  private constructor(keeper: SeatKeeper) {
    this.#keeper = keeper;
  }

  /**
   * Takes a seat, waiting for one if `waitSeconds` says so. Rejects with a SeatholdError, or with the reason of the signal.
   * `runtime` is for tests.
   */
  static async acquire(options: SeatOptions, runtime: Runtime = REAL_RUNTIME): Promise<Seat> {
    options.signal?.throwIfAborted();
    const keeper = await SeatKeeper.create(options, runtime);
    await keeper.start(options.signal);
    return new Seat(keeper);
  }

  get sessionId(): string {
    return this.#keeper.last.sessionId;
  }

  /** The newest license token. */
  get licenseToken(): string {
    return this.#keeper.last.licenseToken;
  }

  get features(): Readonly<Record<string, FeatureValue>> {
    return this.#keeper.last.features;
  }

  /** Until when the program may run without reaching the service. */
  get expiresAt(): Date {
    return new Date(this.#keeper.last.expiresAtMs);
  }

  /** Until when the seat needs no heartbeat, if it is an offline seat. */
  get offlineUntil(): Date | undefined {
    const { offlineUntilMs } = this.#keeper.last;
    return offlineUntilMs === undefined ? undefined : new Date(offlineUntilMs);
  }

  /** `held` and `offline` mean that the program may run. */
  get state(): 'held' | 'offline' | 'lost' | 'ended' {
    return this.#keeper.state;
  }

  /** Adds a listener for a type of event. Returns a function that removes it. */
  on<Type extends SeatEventType>(type: Type, listener: (event: SeatEventOf<Type>) => void): () => void {
    const listen = (event: SeatEvent): void => {
      if (isOfType(event, type)) {
        listener(event);
      }
    };
    this.#keeper.listeners.add(listen);
    return () => this.#keeper.listeners.delete(listen);
  }

  /**
   * Takes the seat offline, without heartbeats, for this time, if the license allows it. Rejects with a SeatholdError.
   */
  takeOffline(seconds: number): Promise<void> {
    return this.#keeper.takeOffline(seconds);
  }

  /** Gives the seat back and stops. Resolves when the service has confirmed it or cannot be reached. */
  release(): Promise<void> {
    return this.#keeper.release();
  }
}

function isOfType<Type extends SeatEventType>(event: SeatEvent, type: Type): event is SeatEventOf<Type> {
  return event.type === type;
}
