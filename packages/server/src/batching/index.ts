/** How one batch is run, and how large it may grow. */
export interface BatchOptions<Item, Result> {
  /** Returns a result for every item of the batch, in order. An exception fails them all. */
  run(key: string, items: readonly Item[]): Promise<readonly Result[]>;
  maxBatch: number;
  /** How many items per key may wait; more are refused with `overflow()`, so that no queue grows without bound. */
  maxWaiting: number;
  overflow(): Error;
  /**
   * Items of one batch with the same identity are run once and share the result: only for reads, never for changes.
   * Without it, every item is run.
   */
  identityOf?(item: Item): string;
  /** Whether a batch that failed with this error is tried again item by item, so that one cannot spoil the others. */
  isolates(error: unknown): boolean;
}

/**
 * Gathers what arrives while the previous batch of the same key is in flight and runs it as one. There is no timer: a
 * single item is run in the same turn of the event loop, together with everything else that arrived in that turn.
 */
export class Batcher<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  readonly #queues = new Map<string, Array<Waiting<Item, Result>>>();

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves to the item's own result when its batch is done. */
  submit(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(key);
      if (queue === undefined) {
        this.#queues.set(key, [{ item, resolve, reject }]);
        setImmediate(() => void this.#drain(key));
      } else if (queue.length < this.#options.maxWaiting) {
        queue.push({ item, resolve, reject });
      } else {
        reject(this.#options.overflow());
      }
    });
  }

  async #drain(key: string): Promise<void> {
    for (;;) {
      const batch = this.#queues.get(key)?.splice(0, this.#options.maxBatch) ?? [];
      if (batch.length === 0) {
        this.#queues.delete(key);
        return;
      }
      await this.#runBatch(key, batch);
    }
  }

  async #runBatch(key: string, batch: ReadonlyArray<Waiting<Item, Result>>): Promise<void> {
    try {
      const { items, places } = this.#gather(batch);
      const results = await this.#options.run(key, items);
      if (results.length !== items.length) {
        throw new Error(`a batch of ${items.length} was answered with ${results.length} results`);
      }
      for (const [position, waiting] of batch.entries()) {
        // The lengths match, so an undefined result is the actual result.
        waiting.resolve(results[places[position] ?? position] as Result);
      }
    } catch (error) {
      if (batch.length > 1 && this.#options.isolates(error)) {
        for (const waiting of batch) {
          await this.#runBatch(key, [waiting]);
        }
      } else {
        for (const waiting of batch) {
          waiting.reject(error);
        }
      }
    }
  }

  /** The items to run, and for each waiting call the position of its item among them. */
  #gather(batch: ReadonlyArray<Waiting<Item, Result>>): { items: Item[]; places: number[] } {
    const { identityOf } = this.#options;
    if (identityOf === undefined) {
      return { items: batch.map((waiting) => waiting.item), places: [] };
    }
    const items: Item[] = [];
    const known = new Map<string, number>();
    const places = batch.map(({ item }) => {
      const identity = identityOf(item);
      const place = known.get(identity) ?? items.push(item) - 1;
      known.set(identity, place);
      return place;
    });
    return { items, places };
  }
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
