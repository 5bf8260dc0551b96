/** Lets a number be at work at once and a bounded number wait for their turn, first come, first served. */
export class Places {
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(free: number, mostWaiting: number) {
    this.#free = free;
    this.#mostWaiting = mostWaiting;
  }

  /** Waits for a place, which `leave` gives back; false when too many wait already, or none came before `ending`. */
  async take(ending: AbortSignal): Promise<boolean> {
    if (ending.aborted) {
      return false;
    }
    if (this.#free > 0) {
      this.#free -= 1;
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

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
