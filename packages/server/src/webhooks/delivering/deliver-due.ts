import { Batcher } from '../../batching/index.ts';
import { systemPause } from '../../clock/index.ts';
import { DatabaseUnavailable } from '../../database/index.ts';
import { LANES, type LaneName } from '../endpoint-state/lanes.ts';
import { Capacity } from './capacity.ts';
import { type ClaimedAttempt, claimDueAttempts } from './claim-attempts.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import { type FinishedAttempt, makeAttempt } from './make-attempt.ts';
import { Pace } from './pace.ts';
import { recordAttempts, type WriteOutcome } from './record-attempts.ts';
import { releaseClaims } from './release-leases.ts';

/**
 * Makes the attempts that are due, as far as there is capacity: many at once, each claimed before and recorded after, with no
 * database connection held meanwhile.
 */
export class Deliverer {
  readonly #tools: DeliveryTools;
  readonly #capacity = new Capacity();
  /** For attempts at endpoints that gave no response: 125 a second. */
  readonly #pace = new Pace(8);
  readonly #recording: Batcher<FinishedAttempt, WriteOutcome>;
  readonly #releasing: Batcher<ClaimedAttempt, undefined>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #cutOff = new AbortController();
  #lastWrite: Promise<void> = Promise.resolve();
  #lastOutage: { atMs: number; error: unknown } = { atMs: Number.NEGATIVE_INFINITY, error: undefined };
  #isStopping = false;
  /** Whether a lane left something behind that it may claim when there is capacity again. */
  readonly #isWaiting = { fast: false, slow: false };

  constructor(tools: DeliveryTools) {
    this.#tools = tools;
    this.#recording = createBatcher((items) => this.#record(items));
    this.#releasing = createBatcher(async (items) => {
      await releaseClaims(tools, items);
      return items.map(() => undefined);
    });
  }

  /** Begins what is due on one lane and does not wait for it. Returns whether more may begin at once. */
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
      claimDueAttempts(this.#tools, this.#capacity, lane, { available, includesSilent }),
    );
    for (const attempt of attempts) {
      this.#begin(lane, attempt);
    }
    this.#isWaiting[lane] =
      this.#capacity.fullDestinations().length + this.#capacity.fullOrganizations(lane).length > 0;
    return hasMore && attempts.length > 0;
  }

  /** Gives what is in flight a moment to end, aborts the rest, and releases what was not made. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#pace.lift();
    const cutting = setTimeout(() => this.#cutOff.abort(), STOP_GRACE_MS);
    await Promise.all(this.#inFlight);
    clearTimeout(cutting);
  }

  #begin(lane: LaneName, attempt: ClaimedAttempt): void {
    this.#capacity.begin(lane, attempt, performance.now());
    const done = this.#deliver(lane, attempt).finally(() => this.#inFlight.delete(done));
    this.#inFlight.add(done);
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

  /** Frees the capacity as soon as the response has come: what is left is our own writing. */
  async #make(lane: LaneName, attempt: ClaimedAttempt): Promise<FinishedAttempt> {
    try {
      if (this.#isStopping) {
        throw new NotStarted();
      }
      return await makeAttempt(this.#tools, attempt, this.#cutOff.signal);
    } finally {
      this.#capacity.end(lane, attempt);
      this.#wake();
    }
  }

  /**
   * Claims and records of this process run one at a time: they lock the same endpoints and would only skip each other's, and
   * what waits meanwhile is written as one batch. Nothing in them waits for a lock.
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
    while ((await this.#recording.submit('', finished)) === 'busy') {
      this.#requireTime(finished.attempt.claimedAtMs);
      await systemPause(BUSY_MS);
    }
  }

  /** Retries while the database is down, for as long as the longest of their leases. */
  async #record(finished: readonly FinishedAttempt[]): Promise<WriteOutcome[]> {
    for (;;) {
      try {
        return await this.#oneAtATime(() => recordAttempts(this.#tools, finished));
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

  /** Throws when the lease has expired, since nothing is written after it, and when the service stops. */
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
  }
}

/** The outcome of an attempt could not be recorded in time; the cause is the database outage during it. */
class LeaseExpired extends Error {
  constructor(cause: unknown) {
    super('the outcome of an attempt could not be recorded in time', { cause });
  }
}

/** The service stops, and an attempt that waited has not begun. */
class NotStarted extends Error {}

/** Capacity bounds what is in flight, and so what waits here. One attempt that cannot be written does not fail the others. */
function createBatcher<Item, Result>(run: (items: readonly Item[]) => Promise<Result[]>): Batcher<Item, Result> {
  return new Batcher({
    run: (_key, items) => run(items),
    maxBatch: 200,
    maxWaiting: Number.POSITIVE_INFINITY,
    overflow: () => new Error('too many attempts wait to be written'),
    isolates: (error) => !(error instanceof DatabaseUnavailable),
  });
}

/** At most this many attempts wait for the pace, and one claim more: a second, which the lease can spare. */
const MAX_PACED = 125;
const MAX_PER_CLAIM = 256;
/** Including attempts whose outcome waits to be recorded, as happens when the database is slow. */
const MAX_IN_ALL = 4_096;
const STOP_GRACE_MS = 2_000;
const WRITE_AGAIN_MS = 250;
/** About as long as an endpoint's lock is held. */
const BUSY_MS = 10;
