/** How many attempts this process has in flight per organization or destination, each up to the same quota. */
export class Quotas {
  readonly #quota: number;
  readonly #inFlight = new Map<string, number>();

  constructor(quota: number) {
    this.#quota = quota;
  }

  /** How many more may begin. */
  available(name: string): number {
    return this.#quota - (this.#inFlight.get(name) ?? 0);
  }

  begin(name: string): void {
    this.#inFlight.set(name, (this.#inFlight.get(name) ?? 0) + 1);
  }

  end(name: string): void {
    const count = (this.#inFlight.get(name) ?? 1) - 1;
    if (count === 0) {
      this.#inFlight.delete(name);
    } else {
      this.#inFlight.set(name, count);
    }
  }

  /** The keys whose quota is used up. */
  full(): string[] {
    return [...this.#inFlight].filter(([, count]) => count >= this.#quota).map(([name]) => name);
  }
}
