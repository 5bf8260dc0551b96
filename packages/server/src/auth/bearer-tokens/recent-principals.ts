import type { RecalledPrincipal } from '../../http/index.ts';

/**
 * Whose tokens were resolved in the last seconds. It holds the tokens' text, as every request in flight does, in memory
 * only, and it is bounded: two generations; the older one is dropped as a whole. Every request that is resolved renews
 * it, so a changed tier is counted by after one generation at the latest.
 */
export class RecentPrincipals {
  #young = new Map<string, RecalledPrincipal>();
  #old = new Map<string, RecalledPrincipal>();
  #turnedAtMs = performance.now();

  /** Remembers whose it is, or with undefined that it is nobody's. */
  note(identity: string, found: RecalledPrincipal | undefined): void {
    this.#turn();
    if (found === undefined) {
      this.#young.delete(identity);
      this.#old.delete(identity);
    } else {
      this.#young.set(identity, found);
    }
  }

  recall(identity: string): RecalledPrincipal | undefined {
    this.#turn();
    return this.#young.get(identity) ?? this.#old.get(identity);
  }

  /** What was not resolved again for one to two generations is forgotten; recalling renews nothing. */
  #turn(): void {
    const nowMs = performance.now();
    if (nowMs - this.#turnedAtMs > GENERATION_MS || this.#young.size >= MAX_YOUNG) {
      // After a quiet time both generations are too old.
      this.#old = nowMs - this.#turnedAtMs > 2 * GENERATION_MS ? new Map() : this.#young;
      this.#young = new Map();
      this.#turnedAtMs = nowMs;
    }
  }
}

/** What is remembered is between one and two of these old at most. */
const GENERATION_MS = 2_500;
const MAX_YOUNG = 50_000;
