/** Counts the open connections of each client, so that one client alone cannot take all that the listener has. */
export class ConnectionCounts {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a connection; answers false, and counts nothing, when the client has as many as it may. */
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
