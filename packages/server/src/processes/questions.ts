/** Pending questions to another process. */
export class Questions {
  readonly #open = new Map<number, { resolve: (value: unknown) => void; timer: NodeJS.Timeout }>();
  #last = 0;

  /** Sends a question and waits for its answer; rejects after `withinMs`. */
  ask(send: (id: number) => void, withinMs: number): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#open.delete(id);
        reject(new Error('another process of the service did not answer in time'));
      }, withinMs);
      timer.unref();
      this.#open.set(id, { resolve, timer });
      send(id);
    });
  }

  /** An answer arrived; one that comes too late is dropped. */
  settle(id: number, value: unknown): void {
    const question = this.#open.get(id);
    if (question !== undefined) {
      this.#open.delete(id);
      clearTimeout(question.timer);
      question.resolve(value);
    }
  }
}
