/** Runs work beside each other, so much at one time and no more, until the signal. Meant for one caller that begins it all. */
export class InFlight {
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  #wake: () => void = () => undefined;

  constructor(limit: number, signal: AbortSignal) {
    this.#limit = limit;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake());
  }

  /**
   * Begins the work as soon as there is room, and does not wait for its end. The work must not reject. Rejects with the
   * signal's reason instead of beginning any after it.
   */
  async start(work: () => Promise<void>): Promise<void> {
    this.#signal.throwIfAborted();
    while (this.#running.size >= this.#limit) {
      // Not a race with a promise that lives as long as the command: each race would leave something hanging on it.
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#signal.throwIfAborted();
    }
    const running = work().finally(() => {
      this.#running.delete(running);
      this.#wake();
    });
    this.#running.add(running);
  }

  /** Resolves when nothing runs any more. */
  async drained(): Promise<void> {
    await Promise.all(this.#running);
  }
}
