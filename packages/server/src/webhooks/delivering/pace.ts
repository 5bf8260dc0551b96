/**
 * Starts tasks one after the other, with a pause in between. Dialing costs CPU time: a thousand hanging endpoints time
 * out together, and would all be dialed again together while requests wait.
 */
export class Pace {
  readonly #pauseMs: number;
  readonly #waiting: Array<() => void> = [];
  #isRunning = false;
  #isLifted = false;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is the caller's turn: immediately, unless another began less than a pause ago. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning || this.#isLifted) {
        this.#next();
      }
    });
  }

  /** Starts all waiting and all later tasks immediately. */
  lift(): void {
    this.#isLifted = true;
    for (const begin of this.#waiting.splice(0)) {
      begin();
    }
  }

  /** Timers that were due during a stall fire together, so each is set only when the previous one has fired. */
  #next(): void {
    const begin = this.#waiting.shift();
    this.#isRunning = begin !== undefined;
    if (begin !== undefined) {
      begin();
      setTimeout(() => this.#next(), this.#pauseMs);
    }
  }
}
