import type { RecalledPrincipal } from '../../http/index.ts';

/**
 * The principals of tokens that were resolved in the last seconds. It holds the tokens' text, as every request in
 * flight does, only in memory. It is bounded to two generations; the older one is dropped as a whole. Every resolved
 * request renews its entry, so a changed tier applies after one generation at the latest.
 */
export class RecentPrincipals {
  #young = new Map<string, RecalledPrincipal>();
  #old = new Map<string, RecalledPrincipal>();
  #turnedAtMs = performance.now();

  /** Remembers a token's principal; undefined means that the token is invalid. */
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

  /** Entries that were not resolved again for one to two generations are forgotten; recalling does not renew them. */
  #turn(): void {
    const nowMs = performance.now();
    if (nowMs - this.#turnedAtMs > GENERATION_MS || this.#young.size >= MAX_YOUNG) {
      // After a period without requests, both generations are too old.
      this.#old = nowMs - this.#turnedAtMs > 2 * GENERATION_MS ? new Map() : this.#young;
      this.#young = new Map();
      this.#turnedAtMs = nowMs;
    }
  }
}

/** The maximum age of an entry is between one and two of these. */
const GENERATION_MS = 2_500;
const MAX_YOUNG = 50_000;
