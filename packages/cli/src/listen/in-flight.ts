/** Runs work concurrently up to a limit, until the signal. For a single caller. */
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
   * Begins the work as soon as there is capacity, without waiting for its end. The work must not reject. Rejects with
   * the signal's reason instead of beginning work after it.
   */
  async start(work: () => Promise<void>): Promise<void> {
    this.#signal.throwIfAborted();
    while (this.#running.size >= this.#limit) {
      // Not a race with a promise that lives as long as the command, because each race would leak a reaction on it.
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
