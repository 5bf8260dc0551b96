import { Batcher } from '../../batching/index.ts';
import { systemPause } from '../../clock/index.ts';
import { type Claimed, claimDue } from './claim-attempts.ts';
import type { Delivering } from './delivering.ts';
import { Destinations } from './destinations.ts';
import { type Ended, finishAttempts } from './finish-attempts.ts';
import { Lane } from './lane.ts';
import { makeAttempt } from './make-attempt.ts';
import { handBack } from './return-claims.ts';

/**
 * Makes the attempts that are due, as far as there are places for them: many at once, each claimed before and written after,
 * and no connection of the database held meanwhile.
 */
export class Deliverer {
  readonly #delivering: Delivering;
  readonly #lanes = { swift: new Lane(false, 512, 2_000), cautious: new Lane(true, 2_048, Number.POSITIVE_INFINITY) };
  readonly #destinations = new Destinations();
  readonly #finishing: Batcher<Ended, undefined>;
  readonly #handingBack: Batcher<Claimed, undefined>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #cutOff = new AbortController();
  /** Whether a lane left something behind that it may claim when a place is free again. */
  readonly #isWaiting = { swift: false, cautious: false };

  constructor(delivering: Delivering) {
    this.#delivering = delivering;
    this.#finishing = inBatches((items) => this.#write(items));
    this.#handingBack = inBatches((items) => handBack(delivering, items));
  }

  /** Begins what is due on one lane and does not wait for it. Answers whether there may be more that can begin at once. */
  async deliverDue(name: 'swift' | 'cautious'): Promise<boolean> {
    const lane = this.#lanes[name];
    const places = Math.min(lane.freePlaces(performance.now()), MOST_AT_ONCE);
    if (places === 0) {
      this.#isWaiting[name] = true;
      return false;
    }
    const full = this.#destinations.full();
    const claim = await claimDue(this.#delivering, lane.isCautious, full, places);
    const tooMany = claim.attempts.filter((attempt) => !this.#begin(lane, attempt));
    await handBack(this.#delivering, tooMany);
    this.#isWaiting[name] = full.length + tooMany.length > 0;
    return claim.isCut;
  }

  /** Lets what is under way end for a moment, cuts off the rest and hands it back. */
  async stop(): Promise<void> {
    const cutting = setTimeout(() => this.#cutOff.abort(), STOP_GRACE_MS);
    await Promise.all(this.#underWay);
    clearTimeout(cutting);
  }

  #begin(lane: Lane, attempt: Claimed): boolean {
    if (!this.#destinations.begin(attempt.destination)) {
      return false;
    }
    lane.begin(attempt.id, performance.now());
    const done = this.#attempt(attempt).finally(() => {
      this.#underWay.delete(done);
      this.#destinations.end(attempt.destination);
      lane.end(attempt.id);
      this.#wake();
    });
    this.#underWay.add(done);
    return true;
  }

  /** Never rejects: what cannot be written is claimed again when its lease has ended. */
  async #attempt(attempt: Claimed): Promise<void> {
    const { log, metrics } = this.#delivering;
    try {
      if (attempt.attempts === 0 && attempt.kind !== 'replay') {
        metrics.observeLag(Math.max(0, this.#delivering.clock.nowMs() - attempt.due_at.getTime()) / 1000);
      }
      const ended = await makeAttempt(this.#delivering, attempt, this.#cutOff.signal);
      metrics.countAttempt(ended.result.error ?? 'succeeded');
      await this.#finishing.submit('', ended);
    } catch (error) {
      if (this.#cutOff.signal.aborted) {
        await this.#handingBack.submit('', attempt).catch(() => undefined);
        return;
      }
      log.error({ err: error, delivery_id: attempt.delivery_id }, 'an attempt could not be written and is made again');
    }
  }

  /** Tries for as long as the lease may last: what is written too late is passed over, and made again. */
  async #write(ended: readonly Ended[]): Promise<void> {
    const giveUpAtMs = performance.now() + this.#delivering.leaseMs;
    for (;;) {
      try {
        await finishAttempts(this.#delivering, ended);
        return;
      } catch (error) {
        if (performance.now() >= giveUpAtMs || this.#cutOff.signal.aborted) {
          throw error;
        }
        this.#delivering.log.warn({ err: error, attempts: ended.length }, 'attempts could not be written yet');
        await systemPause(WRITE_AGAIN_MS);
      }
    }
  }

  #wake(): void {
    for (const name of ['swift', 'cautious'] as const) {
      if (this.#isWaiting[name]) {
        this.#isWaiting[name] = false;
        this.#delivering.due[name].ring();
      }
    }
  }
}

/** What is under way is bounded by the lanes, so what waits here is, too. */
function inBatches<Item>(run: (items: readonly Item[]) => Promise<void>): Batcher<Item, undefined> {
  return new Batcher({
    run: async (_key, items) => {
      await run(items);
      return items.map(() => undefined);
    },
    maxBatch: 200,
    maxWaiting: Number.POSITIVE_INFINITY,
    overflow: () => new Error('too many attempts wait to be written'),
    isolates: () => false,
  });
}

const MOST_AT_ONCE = 256;
const STOP_GRACE_MS = 2_000;
const WRITE_AGAIN_MS = 250;
