import type { Batcher } from '../../batching/index.ts';
import { systemPause } from '../../clock/index.ts';
import { DatabaseUnavailable } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';
import { LANES, type LaneName } from '../endpoint-state/lanes.ts';
import { Capacity } from './capacity.ts';
import { type ClaimedAttempt, claimDueAttempts } from './claim-attempts.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import { finishTaken } from './finish-taken.ts';
import { Pace } from './pace.ts';
import { recordAttempts, type WriteOutcome } from './record-attempts.ts';
import { releaseClaims } from './release-leases.ts';
import { type FinishedAttempt, sendTraced } from './send-attempt.ts';
import { SigningKeys } from './signing-keys.ts';
import { TakenInFlight } from './taken-in-flight.ts';
import { createWriter, LeaseExpired, NotStarted } from './write-batches.ts';

/**
 * Makes due attempts, as far as there is capacity: many concurrently, each claimed before and recorded afterwards,
 * without holding a database connection in between.
 */
export class Deliverer {
  readonly #tools: DeliveryTools;
  readonly #capacity = new Capacity();
  readonly #taken = new TakenInFlight();
  readonly signingKeys: SigningKeys;
  /** For attempts at endpoints that gave no response: 125 a second. */
  readonly #pace = new Pace(8);
  readonly #recording: Batcher<FinishedAttempt, WriteOutcome>;
  readonly #finishing: Batcher<FinishedAttempt, boolean>;
  readonly #releasing: Batcher<ClaimedAttempt, undefined>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #cutOff = new AbortController();
  #lastWrite: Promise<void> = Promise.resolve();
  #lastOutage: { atMs: number; error: unknown } = { atMs: Number.NEGATIVE_INFINITY, error: undefined };
  #isStopping = false;
  /** Whether a lane left attempts that it may claim when there is capacity again. */
  readonly #isWaiting = { fast: false, slow: false };
  /** How many attempts have ended since events were left because there was no capacity; undefined if none were. */
  #freedForTaking: number | undefined;

  constructor(tools: DeliveryTools) {
    this.#tools = tools;
    this.signingKeys = new SigningKeys(tools);
    this.#recording = createWriter((items) =>
      this.#untilAvailable(items, () => this.#oneAtATime(() => recordAttempts(tools, items))),
    );
    this.#finishing = createWriter((items) => this.#untilAvailable(items, () => finishTaken(tools, items)));
    this.#releasing = createWriter(async (items) => {
      await releaseClaims(tools, items);
      return items.map(() => undefined);
    });
  }

  /** Begins due attempts of one lane without waiting for them. Returns whether more may begin immediately. */
  async deliverDue(lane: LaneName): Promise<boolean> {
    const available = Math.min(
      this.#capacity.available(lane, performance.now()),
      MAX_PER_CLAIM,
      MAX_IN_ALL - this.#inFlight.size,
    );
    if (available <= 0) {
      this.#isWaiting[lane] = true;
      return false;
    }
    const includesSilent = this.#pace.waiting < MAX_PACED;
    const { attempts, hasMore } = await this.#oneAtATime(() =>
      claimDueAttempts(this.#tools, this.#capacity, lane, {
        available,
        includesSilent,
        taken: this.#taken,
        signingKeys: this.signingKeys,
      }),
    );
    for (const attempt of attempts) {
      this.#begin(lane, attempt);
    }
    this.#isWaiting[lane] =
      !this.#taken.isEmpty ||
      this.#capacity.fullDestinations().length + this.#capacity.fullOrganizations(lane).length > 0;
    return hasMore && attempts.length > 0;
  }

  /** Keeps capacity for the attempts of one event, at trusted endpoints; false if there is not enough for all of them. */
  reserve(attempts: readonly ClaimedAttempt[]): boolean {
    const nowMs = performance.now();
    for (const [place, attempt] of attempts.entries()) {
      const most = Math.min(attempt.taken?.inFlightLimit ?? 0, this.#capacity.maxPerEndpoint('fast'));
      const hasCapacity =
        !this.#isStopping &&
        this.#inFlight.size < MAX_IN_ALL &&
        this.#taken.count(attempt) < most &&
        this.#capacity.hasFor('fast', attempt, nowMs);
      if (!hasCapacity) {
        this.freeReserved(attempts.slice(0, place));
        return false;
      }
      this.#capacity.begin('fast', attempt, nowMs);
      this.#taken.begin(attempt, nowMs);
    }
    return true;
  }

  freeReserved(attempts: readonly ClaimedAttempt[]): void {
    for (const attempt of attempts) {
      this.#free('fast', attempt);
    }
  }

  /** Begins attempts whose capacity was reserved. */
  beginReserved(attempts: readonly ClaimedAttempt[]): void {
    for (const attempt of attempts) {
      this.#follow(this.#deliver('fast', attempt));
    }
  }

  /** Whether attempts at a trusted endpoint keep ending. */
  isFlowing(key: EndpointKey): boolean {
    return this.#taken.isFlowing(key, performance.now());
  }

  /** Rings for left events when attempts have ended. */
  awaitCapacity(): void {
    this.#freedForTaking = 0;
    setTimeout(() => this.#wakeTaking(), FLOWING_AGAIN_MS).unref();
  }

  /** Gives attempts in flight a moment to end, aborts the rest, and releases those not made. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#pace.lift();
    const cutting = setTimeout(() => this.#cutOff.abort(), STOP_GRACE_MS);
    await Promise.all(this.#inFlight);
    clearTimeout(cutting);
  }

  #begin(lane: LaneName, attempt: ClaimedAttempt): void {
    this.#capacity.begin(lane, attempt, performance.now());
    this.#follow(this.#deliver(lane, attempt));
  }

  #follow(delivering: Promise<void>): void {
    this.#inFlight.add(delivering);
    void delivering.then(() => this.#inFlight.delete(delivering));
  }

  /** Never rejects: an attempt that cannot be recorded is claimed again when its lease has expired. */
  async #deliver(lane: LaneName, attempt: ClaimedAttempt): Promise<void> {
    const { log, metrics, clock } = this.#tools;
    try {
      if (attempt.isSilent) {
        await this.#pace.turn();
      }
      if (attempt.attempts === 0 && attempt.kind !== 'replay') {
        metrics.observeLag(Math.max(0, clock.nowMs() - attempt.due_at.getTime()) / 1000);
      }
      const finished = await this.#make(lane, attempt);
      metrics.countAttempt(finished.result.error ?? 'succeeded');
      await this.#finish(finished);
    } catch (error) {
      if (this.#cutOff.signal.aborted || error instanceof NotStarted) {
        await this.#releasing.submit('', attempt).catch(() => undefined);
        return;
      }
      // This is expected if an outage outlasts a lease; any other cause is a bug.
      const level = error instanceof LeaseExpired && error.cause instanceof DatabaseUnavailable ? 'warn' : 'error';
      log[level](
        { err: error, delivery_id: attempt.delivery_id },
        'could not record an attempt; it will be made again',
      );
    }
  }

  /** Releases the capacity when the response arrives, because only our own writes remain. */
  async #make(lane: LaneName, attempt: ClaimedAttempt): Promise<FinishedAttempt> {
    try {
      if (this.#isStopping) {
        throw new NotStarted();
      }
      return await sendTraced(this.#tools, attempt, this.#cutOff.signal);
    } finally {
      this.#free(lane, attempt);
    }
  }

  #free(lane: LaneName, attempt: ClaimedAttempt): void {
    this.#capacity.end(lane, attempt);
    if (attempt.taken !== undefined) {
      this.#taken.end(attempt, performance.now());
    }
    this.#wake();
  }

  /**
   * Claims and records of this process run one at a time: they lock the same endpoints and would only skip each
   * other's, and results that accumulate are written as one batch. They never wait for a lock.
   */
  async #oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
    const previous = this.#lastWrite;
    const done = Promise.withResolvers<void>();
    this.#lastWrite = done.promise;
    await previous;
    try {
      return await work();
    } finally {
      done.resolve();
    }
  }

  async #finish(finished: FinishedAttempt): Promise<void> {
    const isPlain = finished.attempt.taken !== undefined && finished.result.error === null;
    if (isPlain && (await this.#finishing.submit('', finished))) {
      return;
    }
    while ((await this.#recording.submit('', finished)) === 'busy') {
      this.#requireTime(finished.attempt.claimedAtMs);
      await systemPause(BUSY_MS);
    }
  }

  /** Writes, and retries while the database is down, until the longest lease ends. */
  async #untilAvailable<Result>(finished: readonly FinishedAttempt[], write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) {
          throw error;
        }
        this.#lastOutage = { atMs: performance.now(), error };
        this.#tools.log.warn({ err: error, attempts: finished.length }, 'attempts could not be written yet');
        this.#requireTime(Math.max(...finished.map((each) => each.attempt.claimedAtMs)));
        await systemPause(WRITE_AGAIN_MS);
      }
    }
  }

  /** Throws if the lease has expired, because nothing is written after that, and if the service stops. */
  #requireTime(claimedAtMs: number): void {
    if (performance.now() - claimedAtMs >= this.#tools.leaseMs || this.#cutOff.signal.aborted) {
      const { atMs, error } = this.#lastOutage;
      throw new LeaseExpired(atMs >= claimedAtMs ? error : undefined);
    }
  }

  #wake(): void {
    for (const lane of LANES) {
      if (this.#isWaiting[lane]) {
        this.#isWaiting[lane] = false;
        this.#tools.due[lane].ring();
      }
    }
    if (this.#freedForTaking !== undefined) {
      this.#freedForTaking += 1;
      if (this.#freedForTaking >= ENOUGH_FREED) {
        this.#wakeTaking();
      } else if (this.#freedForTaking === 1) {
        setTimeout(() => this.#wakeTaking(), FREED_MS).unref();
      }
    }
  }

  #wakeTaking(): void {
    if (this.#freedForTaking !== undefined) {
      this.#freedForTaking = undefined;
      this.#tools.announced.ring();
    }
  }
}

/** At most this many attempts wait for the pace, plus one claim: one second, which the lease allows. */
const MAX_PACED = 125;
const MAX_PER_CLAIM = 256;
/** Including attempts whose outcome waits to be recorded, as happens when the database is slow. */
const MAX_IN_ALL = 4_096;
/** Events are taken after this many attempts have ended, or after some milliseconds. */
const ENOUGH_FREED = 32;
const FREED_MS = 3;
/** If none ends for this long, the left events are checked again, and planned. */
const FLOWING_AGAIN_MS = 600;
const STOP_GRACE_MS = 2_000;
const WRITE_AGAIN_MS = 250;
/** About as long as an endpoint's lock is held. */
const BUSY_MS = 10;
