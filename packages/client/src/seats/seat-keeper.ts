import { SeatholdError } from '../errors.ts';
import { createDeferred, type Deferred } from './deferred.ts';
import type { Effect, HeldSeat, KeeperEvent, KeeperRequest, TimerName } from './keeper-types.ts';
import type { Runtime } from './runtime.ts';
import { presentEvent, type SeatEvent } from './seat-events.ts';
import { SeatMachine } from './seat-machine.ts';
import { readSeatOptions, type SeatOptions, type SeatSettings } from './seat-options.ts';
import { SeatService } from './seat-service.ts';
import { formatStored, parseStored, type SeatStore, type Stored } from './seat-store.ts';
import { ServerClock } from './server-clock.ts';

/** Runs the state machine of one seat: sends its requests, manages its timers, and emits its events. */
export class SeatKeeper {
  readonly listeners = new Set<(event: SeatEvent) => void>();
  readonly #runtime: Runtime;
  readonly #settings: SeatSettings;
  readonly #store: SeatStore | undefined;
  readonly #clock: ServerClock;
  readonly #service: SeatService;
  readonly #machine: SeatMachine;
  readonly #timers = new Map<TimerName, () => void>();
  readonly #requests = new Map<number, AbortController>();
  readonly #first = createDeferred();
  readonly #end = createDeferred();
  #offline: Deferred | undefined;
  #saved: Stored['seat'];
  #saving: Promise<void> = Promise.resolve();
  #last: HeldSeat | undefined;
  #cleanUps: Array<() => void> = [];

  /** Reads the options and the stored seat. Rejects with an InvalidRequestError. */
  static async create(options: SeatOptions, runtime: Runtime): Promise<SeatKeeper> {
    const settings = await readSeatOptions(options);
    const { licenseKey, hardwareId } = settings.service;
    const stored = parseStored(await options.store?.load(), licenseKey, hardwareId);
    const clock = new ServerClock(runtime.now(), stored.seenMs);
    const service = new SeatService(settings.service, runtime, clock, {
      activationToken: options.token === undefined ? stored.activationToken : undefined,
      keys: stored.keys,
      revocations: stored.revocations,
    });
    const seat = await restoreSeat(service, stored);
    return new SeatKeeper({ options, runtime, settings, clock, service, seat });
  }

  private constructor(parts: {
    options: SeatOptions;
    runtime: Runtime;
    settings: SeatSettings;
    clock: ServerClock;
    service: SeatService;
    seat: HeldSeat | undefined;
  }) {
    const { options, runtime, settings, clock, service, seat } = parts;
    this.#runtime = runtime;
    this.#settings = settings;
    this.#store = options.store;
    this.#clock = clock;
    this.#service = service;
    this.#saved = seat;
    const stored = service.memory.activationToken === undefined ? 'needed' : 'stored';
    const activation = options.token === undefined ? stored : 'none';
    this.#machine = new SeatMachine({ ...settings.config, activation }, clock, seat);
    void this.#end.promise.then(options.onEnd);
    if (options.onEvent !== undefined) {
      this.listeners.add(options.onEvent);
    }
    if (options.releaseAtExit !== false) {
      this.#cleanUps.push(runtime.onExit(() => this.#exit()));
    }
    this.#cleanUps.push(runtime.onWake(() => this.#run(this.#machine.wake(runtime.now()))));
  }

  /** The newest seat, also after it was lost. */
  get last(): HeldSeat {
    if (this.#last === undefined) {
      throw new SeatholdError({ code: 'not_held', message: 'There is no seat yet.' });
    }
    return this.#last;
  }

  get state(): 'held' | 'offline' | 'lost' | 'ended' {
    if (this.#machine.phase === 'ended') {
      return 'ended';
    }
    if (this.#machine.seat === undefined) {
      return 'lost';
    }
    return this.#machine.isOffline ? 'offline' : 'held';
  }

  /** Resolves when there is a seat. Rejects with a SeatholdError, or with the reason of the signal. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const abort = (): void => {
      this.#first.reject(signal?.reason);
      void this.release();
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#run(this.#machine.start(this.#runtime.now()));
    try {
      await this.#first.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  release(): Promise<void> {
    this.#run(this.#machine.release(this.#runtime.now()));
    return this.#whenEnded();
  }

  takeOffline(seconds: number): Promise<void> {
    const offline = createDeferred();
    this.#offline?.reject(new SeatholdError({ code: 'superseded', message: 'Another call takes the seat offline.' }));
    this.#offline = offline;
    this.#run(this.#machine.takeOffline(seconds, this.#runtime.now()));
    return offline.promise;
  }

  #exit(): Promise<void> {
    this.#run(this.#machine.exit(this.#runtime.now()));
    return this.#whenEnded();
  }

  async #whenEnded(): Promise<void> {
    await this.#end.promise;
    await this.#saving;
  }

  #run(effects: readonly Effect[]): void {
    for (const effect of effects) {
      this.#do(effect);
    }
    this.#last = this.#machine.seat ?? this.#last;
  }

  #do(effect: Effect): void {
    switch (effect.do) {
      case 'send':
        void this.#send(effect.id, effect.request, effect.refreshToken);
        break;
      case 'abandon':
        this.#requests.get(effect.id)?.abort();
        break;
      case 'timer':
        this.#setTimer(effect.name, effect.delayMs);
        break;
      case 'tell':
        this.#tell(effect.event);
        break;
      case 'resolve':
        this.#first.resolve();
        break;
      case 'reject':
        this.#first.reject(errorOf(effect));
        break;
      case 'answerOffline':
        this.#answerOffline(effect);
        break;
      case 'save':
        this.#saved = effect.seat;
        this.#save();
        break;
      case 'end':
        this.#finish();
        break;
    }
  }

  async #send(id: number, request: KeeperRequest, refreshesToken: boolean): Promise<void> {
    const controller = new AbortController();
    this.#requests.set(id, controller);
    const { keys, revocations, activationToken } = this.#service.memory;
    const outcome = await this.#service
      .perform(request, refreshesToken, controller.signal)
      // The machine abandoned the request, and expects nothing of it.
      .catch(() => undefined)
      .finally(() => this.#requests.delete(id));
    if (outcome !== undefined) {
      const { memory } = this.#service;
      this.#run(this.#machine.answered(id, outcome, this.#runtime.now()));
      if (memory.keys !== keys || memory.revocations !== revocations || memory.activationToken !== activationToken) {
        this.#save();
      }
    }
  }

  #setTimer(name: TimerName, delayMs: number | undefined): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
    if (delayMs !== undefined) {
      const run = (): void => this.#run(this.#machine.timer(name, this.#runtime.now()));
      const isBackground = this.#machine.phase === 'held' || this.#machine.phase === 'lost';
      this.#timers.set(name, this.#runtime.setTimer(delayMs, run, isBackground));
    }
  }

  #tell(event: KeeperEvent): void {
    if ('seat' in event) {
      this.#last = event.seat;
    }
    const shown = presentEvent(event);
    for (const listener of this.listeners) {
      try {
        listener(shown);
      } catch (error) {
        // A mistake of the program is reported as such, and does not cost it the seat.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #answerOffline(effect: Extract<Effect, { do: 'answerOffline' }>): void {
    const { code } = effect;
    if (code === undefined) {
      this.#offline?.resolve();
    } else {
      this.#offline?.reject(errorOf({ ...effect, code }));
    }
    this.#offline = undefined;
  }

  #save(): void {
    const { memory } = this.#service;
    const seenMs = Math.floor(this.#clock.nowMs(this.#runtime.now()));
    const text = formatStored({ ...memory, seenMs, seat: this.#saved }, this.#settings.service);
    // A full disk costs the program its next offline start, but not its seat.
    this.#saving = this.#saving.then(() => this.#store?.save(text)).catch(() => undefined);
  }

  #finish(): void {
    for (const end of this.#cleanUps) {
      end();
    }
    this.#cleanUps = [];
    this.#end.resolve();
  }
}

/** The seat of an earlier run, if its token is still valid. */
async function restoreSeat(service: SeatService, { seat }: Stored): Promise<HeldSeat | undefined> {
  const claims = seat && (await service.verifyStored(seat.licenseToken));
  return seat && claims
    ? {
        ...seat,
        sessionId: claims.jti,
        licenseId: claims.lic,
        features: claims.features,
        expiresAtMs: claims.exp * 1000,
      }
    : undefined;
}

/** The error of the API, or one of the keeper itself. */
function errorOf({ code, error }: { code: string; error?: unknown }): SeatholdError {
  return error instanceof SeatholdError ? error : new SeatholdError({ code, message: MESSAGES[code] ?? code });
}

const MESSAGES: Readonly<Record<string, string>> = {
  wait_expired: 'No seat became free in time.',
  wait_canceled: 'The wait for a seat was canceled.',
  revoked: 'The license token was revoked.',
  not_held: 'There is no seat to take offline.',
  ended: 'The seat has ended.',
  offline_too_long: 'The license token expired while the service could not be reached.',
};
