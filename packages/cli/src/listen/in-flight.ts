/** Runs work beside each other, so much at one time and no more. */
export class InFlight {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins the work as soon as there is room, and does not wait for its end. The work must not reject. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) {
      await Promise.race(this.#running);
    }
    const running = work().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when nothing runs any more. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all(this.#running);
    }
  }
}
