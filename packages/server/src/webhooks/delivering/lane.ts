/** The capacity of one lane: how many attempts this process may have in flight on it, and how many it has. */
export class Lane {
  readonly #maxYoung: number;
  readonly #agedAfterMs: number;
  readonly #maxAged: number;
  /** In starting order. */
  readonly #young = new Map<string, number>();
  readonly #aged = new Set<string>();

  /** @param aging the time after which a running attempt no longer counts, and how many of those there may be. */
  constructor(maxYoung: number, aging = { agedAfterMs: Number.POSITIVE_INFINITY, maxAged: 0 }) {
    this.#maxYoung = maxYoung;
    this.#agedAfterMs = aging.agedAfterMs;
    this.#maxAged = aging.maxAged;
  }

  /** How many more attempts may begin at this time. */
  available(nowMs: number): number {
    for (const [id, beganAtMs] of this.#young) {
      if (nowMs - beganAtMs < this.#agedAfterMs || this.#aged.size >= this.#maxAged) {
        break;
      }
      this.#young.delete(id);
      this.#aged.add(id);
    }
    return Math.max(0, this.#maxYoung - this.#young.size);
  }

  /** How much of the lane is used, from 0 to 1. */
  get load(): number {
    return (this.#young.size + this.#aged.size) / (this.#maxYoung + this.#maxAged);
  }

  begin(id: string, nowMs: number): void {
    this.#young.set(id, nowMs);
  }

  end(id: string): void {
    this.#young.delete(id);
    this.#aged.delete(id);
  }
}
