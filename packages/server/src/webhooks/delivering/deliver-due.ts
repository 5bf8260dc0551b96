import { Batcher } from '../../batching/index.ts';
import { systemPause } from '../../clock/index.ts';
import { DatabaseUnavailable } from '../../database/index.ts';
import { type Claimed, claimDue } from './claim-attempts.ts';
import type { Delivering } from './delivering.ts';
import { type Ended, finishAttempts, type Written } from './finish-attempts.ts';
import { makeAttempt } from './make-attempt.ts';
import { Pace } from './pace.ts';
import { type LaneName, Places } from './places.ts';
import { handBack } from './return-claims.ts';

/**
 * Makes the attempts that are due, as far as there are places for them: many at once, each claimed before and written after,
 * and no connection of the database held meanwhile.
 */
export class Deliverer {
  readonly #delivering: Delivering;
  readonly #places = new Places();
  /** Of attempts at endpoints that gave no answer: 125 a second. */
  readonly #pace = new Pace(8);
  readonly #finishing: Batcher<Ended, Written>;
  readonly #handingBack: Batcher<Claimed, undefined>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #cutOff = new AbortController();
  #lastWrite: Promise<void> = Promise.resolve();
  #lastOutage: { atMs: number; error: unknown } = { atMs: Number.NEGATIVE_INFINITY, error: undefined };
  #isStopping = false;
  /** Whether a lane left something behind that it may claim when a place is free again. */
  readonly #isWaiting = { swift: false, cautious: false };

  constructor(delivering: Delivering) {
    this.#delivering = delivering;
    this.#finishing = inBatches((items) => this.#write(items));
    this.#handingBack = inBatches(async (items) => {
      await handBack(delivering, items);
      return items.map(() => undefined);
    });
  }

  /** Begins what is due on one lane and does not wait for it. Answers whether there may be more that can begin at once. */
  async deliverDue(lane: LaneName): Promise<boolean> {
    const free = Math.min(this.#places.free(lane, performance.now()), MOST_AT_ONCE, MOST_IN_ALL - this.#underWay.size);
    if (free <= 0) {
      this.#isWaiting[lane] = true;
      return false;
    }
    const includesSilent = this.#pace.waiting < MOST_PACED;
    const { attempts, isCut } = await this.#oneAfterTheOther(() =>
      claimDue(this.#delivering, this.#places, lane, { free, includesSilent }),
    );
    for (const attempt of attempts) {
      this.#begin(lane, attempt);
    }
    this.#isWaiting[lane] = this.#places.fullDestinations().length + this.#places.fullOrganizations(lane).length > 0;
    return isCut && attempts.length > 0;
  }

  /** Lets what is under way end for a moment, cuts off the rest, and hands back what was not made. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#pace.open();
    const cutting = setTimeout(() => this.#cutOff.abort(), STOP_GRACE_MS);
    await Promise.all(this.#underWay);
    clearTimeout(cutting);
  }

  #begin(lane: LaneName, attempt: Claimed): void {
    this.#places.begin(lane, attempt, performance.now());
    const done = this.#attempt(lane, attempt).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Never rejects: what cannot be written is claimed again when its lease has ended. */
  async #attempt(lane: LaneName, attempt: Claimed): Promise<void> {
    const { log, metrics, clock } = this.#delivering;
    try {
      if (attempt.isSilent) {
        await this.#pace.turn();
      }
      if (attempt.attempts === 0 && attempt.kind !== 'replay') {
        metrics.observeLag(Math.max(0, clock.nowMs() - attempt.due_at.getTime()) / 1000);
      }
      const ended = await this.#make(lane, attempt);
      metrics.countAttempt(ended.result.error ?? 'succeeded');
      await this.#finish(ended);
    } catch (error) {
      if (this.#cutOff.signal.aborted || error instanceof NotBegun) {
        await this.#handingBack.submit('', attempt).catch(() => undefined);
        return;
      }
      // This is expected if an outage outlasts a lease; any other cause is a bug.
      const level = error instanceof LeaseOutlived && error.cause instanceof DatabaseUnavailable ? 'warn' : 'error';
      log[level](
        { err: error, delivery_id: attempt.delivery_id },
        'could not record an attempt; it will be made again',
      );
    }
  }

  /** Its places are free as soon as the answer is there: what is left is our own writing. */
  async #make(lane: LaneName, attempt: Claimed): Promise<Ended> {
    try {
      if (this.#isStopping) {
        throw new NotBegun();
      }
      return await makeAttempt(this.#delivering, attempt, this.#cutOff.signal);
    } finally {
      this.#places.end(lane, attempt);
      this.#wake();
    }
  }

  /**
   * Claims and results of this process are written one after the other: they lock the same endpoints, would only pass each
   * other over, and what waits meanwhile goes as one. Nothing in them waits for anybody else's lock.
   */
  async #oneAfterTheOther<Result>(work: () => Promise<Result>): Promise<Result> {
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

  async #finish(ended: Ended): Promise<void> {
    while ((await this.#finishing.submit('', ended)) === 'busy') {
      this.#requireTime(ended.attempt.claimedAtMs);
      await systemPause(BUSY_MS);
    }
  }

  /** Tries again while the database is away, for as long as the last of their leases lasts. */
  async #write(ended: readonly Ended[]): Promise<Written[]> {
    for (;;) {
      try {
        return await this.#oneAfterTheOther(() => finishAttempts(this.#delivering, ended));
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) {
          throw error;
        }
        this.#lastOutage = { atMs: performance.now(), error };
        this.#delivering.log.warn({ err: error, attempts: ended.length }, 'attempts could not be written yet');
        this.#requireTime(Math.max(...ended.map((each) => each.attempt.claimedAtMs)));
        await systemPause(WRITE_AGAIN_MS);
      }
    }
  }

  /** Throws when the lease has ended, since nothing is written after it, and when the service stops. */
  #requireTime(claimedAtMs: number): void {
    if (performance.now() - claimedAtMs >= this.#delivering.leaseMs || this.#cutOff.signal.aborted) {
      const { atMs, error } = this.#lastOutage;
      throw new LeaseOutlived(atMs >= claimedAtMs ? error : undefined);
    }
  }

  #wake(): void {
    for (const lane of ['swift', 'cautious'] as const) {
      if (this.#isWaiting[lane]) {
        this.#isWaiting[lane] = false;
        this.#delivering.due[lane].ring();
      }
    }
  }
}

/** The outcome of an attempt could not be recorded in time; the cause is the database outage during it. */
class LeaseOutlived extends Error {
  constructor(cause: unknown) {
    super('the outcome of an attempt could not be recorded in time', { cause });
  }
}

/** The service stops, and an attempt that waited has not begun. */
class NotBegun extends Error {}

/** What is under way is bounded by the places, so what waits here is, too. One that cannot be written spoils no other. */
function inBatches<Item, Result>(run: (items: readonly Item[]) => Promise<Result[]>): Batcher<Item, Result> {
  return new Batcher({
    run: (_key, items) => run(items),
    maxBatch: 200,
    maxWaiting: Number.POSITIVE_INFINITY,
    overflow: () => new Error('too many attempts wait to be written'),
    isolates: (error) => !(error instanceof DatabaseUnavailable),
  });
}

/** As many wait for the pace at most, and one claim more: a second of it, which the lease has to spare. */
const MOST_PACED = 125;
const MOST_AT_ONCE = 256;
/** With those whose answers wait to be written, as they do when the database is slow. */
const MOST_IN_ALL = 4_096;
const STOP_GRACE_MS = 2_000;
const WRITE_AGAIN_MS = 250;
/** About as long as an endpoint's lock is held. */
const BUSY_MS = 10;
