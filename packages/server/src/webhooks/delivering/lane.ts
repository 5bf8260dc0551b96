/** The places of one lane: how many attempts this process may have under way there, and how many it has. */
export class Lane {
  readonly isCautious: boolean;
  readonly #places: number;
  readonly #elderAfterMs: number;
  /** In the order in which they began. */
  readonly #young = new Map<string, number>();
  readonly #old = new Set<string>();

  /** @param elderAfterMs after which time an attempt frees its place although it goes on; those hold places of their own. */
  constructor(isCautious: boolean, places: number, elderAfterMs: number) {
    this.isCautious = isCautious;
    this.#places = places;
    this.#elderAfterMs = elderAfterMs;
  }

  /** How many more attempts may begin at this time. */
  freePlaces(nowMs: number): number {
    for (const [id, beganAtMs] of this.#young) {
      if (nowMs - beganAtMs < this.#elderAfterMs) {
        break;
      }
      if (this.#old.size >= this.#places * OLD_FOR_EACH_PLACE) {
        break;
      }
      this.#young.delete(id);
      this.#old.add(id);
    }
    return Math.max(0, this.#places - this.#young.size);
  }

  begin(id: string, nowMs: number): void {
    this.#young.set(id, nowMs);
  }

  end(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}

/** Bounds what the process holds in all: sockets and memory. */
const OLD_FOR_EACH_PLACE = 1;
