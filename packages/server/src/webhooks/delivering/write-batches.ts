import { Batcher } from '../../batching/index.ts';
import { DatabaseUnavailable } from '../../database/index.ts';

/** The outcome of an attempt could not be recorded in time; the cause is the database outage during it. */
export class LeaseExpired extends Error {
  constructor(cause: unknown) {
    super('the outcome of an attempt could not be recorded in time', { cause });
  }
}

/** The service is stopping, and a waiting attempt was not begun. */
export class NotStarted extends Error {}

/**
 * Capacity bounds attempts in flight, and so the waiting ones here. An attempt that cannot be written does not affect
 * the others.
 */
export function createWriter<Item, Result>(run: (items: readonly Item[]) => Promise<Result[]>): Batcher<Item, Result> {
  return new Batcher({
    run: (_key, items) => run(items),
    maxBatch: 200,
    maxWaiting: Number.POSITIVE_INFINITY,
    overflow: () => new Error('too many attempts are waiting to be written'),
    isolates: (error) => !(error instanceof DatabaseUnavailable),
  });
}
