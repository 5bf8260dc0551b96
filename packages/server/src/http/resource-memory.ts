/** `ended`: it belongs to the caller but has ended, so requests about it change nothing. */
export type ResourceStanding = 'live' | 'ended';

/**
 * The resources that callers were found to own, so that their requests can be counted before they run. It is bounded by
 * two generations; the older one is dropped as a whole. Requests about a forgotten resource are counted after they have
 * run.
 */
export class ResourceMemory {
  readonly #maxYoung: number;
  #young = new Map<string, ResourceStanding>();
  #old = new Map<string, ResourceStanding>();

  constructor(maxYoung = 100_000) {
    this.#maxYoung = maxYoung;
  }

  /** How many are remembered: at most twice what a generation holds. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  note(key: string, standing: ResourceStanding): void {
    if (this.#young.size >= this.#maxYoung && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, standing);
  }

  recall(key: string): ResourceStanding | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
