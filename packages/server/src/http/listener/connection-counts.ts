/** Counts the open connections of each client, so that one client cannot use up the listener's connections. */
export class ConnectionCounts {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a connection; returns false, without counting, if the client is at its limit. */
  add(client: string): boolean {
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(client, count + 1);
    return true;
  }

  remove(client: string): void {
    const count = this.#counts.get(client) ?? 0;
    if (count > 1) this.#counts.set(client, count - 1);
    else this.#counts.delete(client);
  }
}
