/** The places of one lane: how many attempts this process may have under way there, and how many it has. */
export class Lane {
  readonly #places: number;
  readonly #oldAfterMs: number;
  readonly #oldPlaces: number;
  /** In the order in which they began. */
  readonly #young = new Map<string, number>();
  readonly #old = new Set<string>();

  /** @param old after which time an attempt frees its place although it goes on, and how many such there may be. */
  constructor(places: number, old = { oldAfterMs: Number.POSITIVE_INFINITY, oldPlaces: 0 }) {
    this.#places = places;
    this.#oldAfterMs = old.oldAfterMs;
    this.#oldPlaces = old.oldPlaces;
  }

  /** How many more attempts may begin at this time. */
  freePlaces(nowMs: number): number {
    for (const [id, beganAtMs] of this.#young) {
      if (nowMs - beganAtMs < this.#oldAfterMs || this.#old.size >= this.#oldPlaces) {
        break;
      }
      this.#young.delete(id);
      this.#old.add(id);
    }
    return Math.max(0, this.#places - this.#young.size);
  }

  /** How much of the lane is taken, from 0 to 1. */
  get taken(): number {
    return (this.#young.size + this.#old.size) / (this.#places + this.#oldPlaces);
  }

  begin(id: string, nowMs: number): void {
    this.#young.set(id, nowMs);
  }

  end(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}
