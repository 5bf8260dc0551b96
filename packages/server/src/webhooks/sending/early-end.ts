/**
 * Ends one attempt early: it timed out, or the service stops. Each attempt has one, and an AbortSignal with its
 * listeners takes longer than signing. There is one listener at a time, because the steps of an attempt are sequential.
 */
export class EarlyEnd {
  #reason: unknown;
  #hasEnded = false;
  #listener: (() => void) | undefined;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Ends what runs. Only the first call counts. */
  end(reason: unknown): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#reason = reason;
      const listener = this.#listener;
      this.#listener = undefined;
      listener?.();
    }
  }

  throwIfEnded(): void {
    if (this.#hasEnded) {
      throw this.#reason;
    }
  }

  /** Calls back at the end, or immediately if it has ended. Replaces the previous listener. */
  onEnd(listener: () => void): void {
    if (this.#hasEnded) {
      listener();
    } else {
      this.#listener = listener;
    }
  }

  /** Removes the listener. */
  offEnd(): void {
    this.#listener = undefined;
  }
}

/**
 * The result of the work, or the reason if it ends early; the work itself then continues, and its result is ignored.
 */
export function untilEnded<T>(ending: EarlyEnd, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    ending.onEnd(() => reject(ending.reason));
    work.then(
      (result) => {
        ending.offEnd();
        resolve(result);
      },
      (error: unknown) => {
        ending.offEnd();
        reject(error);
      },
    );
  });
}
