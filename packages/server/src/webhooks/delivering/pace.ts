/**
 * Lets one thing after the other begin, with a pause between them. Dials are work for the processor: a thousand endpoints that
 * hang time out together, and would all be dialled together again while requests wait.
 */
export class Pace {
  readonly #pauseMs: number;
  readonly #waiting: Array<() => void> = [];
  #isRunning = false;
  #isOpen = false;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is the caller's turn: at once, unless another began less than a pause ago. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning || this.#isOpen) {
        this.#next();
      }
    });
  }

  /** Lets all that wait go on at once, and whoever comes later. */
  open(): void {
    this.#isOpen = true;
    for (const begin of this.#waiting.splice(0)) {
      begin();
    }
  }

  /** Timers that were due during a stall fire together, so that each is set only when the one before has fired. */
  #next(): void {
    const begin = this.#waiting.shift();
    this.#isRunning = begin !== undefined;
    if (begin !== undefined) {
      begin();
      setTimeout(() => this.#next(), this.#pauseMs);
    }
  }
}
