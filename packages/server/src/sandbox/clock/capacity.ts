/** Lets a number of tasks run concurrently and a bounded number wait for their turn, first come, first served. */
export class Capacity {
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #available: number;

  constructor(limit: number, mostWaiting: number) {
    this.#available = limit;
    this.#mostWaiting = mostWaiting;
  }

  /** Waits for a turn, which `release` ends. Returns false if too many are already waiting, or `ending` comes first. */
  async acquire(ending: AbortSignal): Promise<boolean> {
    if (ending.aborted) {
      return false;
    }
    if (this.#available > 0) {
      this.#available -= 1;
      return true;
    }
    if (this.#waiting.size >= this.#mostWaiting) {
      return false;
    }
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.delete(enter);
        resolve(false);
      };
      const enter = () => {
        this.#waiting.delete(enter);
        ending.removeEventListener('abort', giveUp);
        resolve(true);
      };
      this.#waiting.add(enter);
      ending.addEventListener('abort', giveUp, { once: true });
    });
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#available += 1;
    } else {
      next();
    }
  }
}
