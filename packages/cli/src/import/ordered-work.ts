/**
 * Runs work concurrently up to a limit. Work with the same name, and work that depends on an earlier name, runs in
 * order. For a single caller.
 */
export class OrderedWork {
  readonly #limit: number;
  readonly #last = new Map<string, Promise<void>>();
  readonly #running = new Set<Promise<void>>();
  #wake: () => void = () => undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins the work as soon as there is capacity, without waiting for its end. The work must not reject. */
  async start({ name, after }: { name: string; after?: string }, work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    // Dependencies always began earlier, so there is no deadlock.
    const before = [this.#last.get(name), after === undefined ? undefined : this.#last.get(after)];
    const running: Promise<void> = Promise.all(before)
      .then(work)
      .finally(() => {
        this.#running.delete(running);
        if (this.#last.get(name) === running) {
          this.#last.delete(name);
        }
        this.#wake();
      });
    this.#running.add(running);
    this.#last.set(name, running);
  }

  /** Resolves when nothing runs any more. */
  async drained(): Promise<void> {
    await Promise.all(this.#running);
  }
}
