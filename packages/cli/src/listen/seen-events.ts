/** Remembers the events of the stretch of time that is read again, and no others. */
export class SeenEvents {
  /** When each was created, in the order in which they were seen. */
  readonly #createdMs = new Map<string, number>();
  #fromMs = Number.NEGATIVE_INFINITY;

  /** From when on events are remembered, in milliseconds since 1970. */
  get fromMs(): number {
    return this.#fromMs;
  }

  has(id: string): boolean {
    return this.#createdMs.has(id);
  }

  /** Remembers an event, if it is one that may be read again. */
  add(id: string, createdMs: number): void {
    if (createdMs <= this.#fromMs) {
      return;
    }
    this.#createdMs.set(id, createdMs);
    if (this.#createdMs.size > MAX_REMEMBERED) {
      this.#forgetHalf();
    }
  }

  /** Forgets what will not be read again. Time goes only forward. */
  forgetUntil(ms: number): void {
    if (ms <= this.#fromMs) {
      return;
    }
    this.#fromMs = ms;
    for (const [id, createdMs] of this.#createdMs) {
      if (createdMs <= ms) {
        this.#createdMs.delete(id);
      }
    }
  }

  /** Reading less again may miss an event that was committed late; forgetting at random would send some twice. */
  #forgetHalf(): void {
    const times = [...this.#createdMs.values()].toSorted((one, other) => one - other);
    this.forgetUntil(times[Math.floor(times.length / 2)] ?? this.#fromMs);
  }
}

/** Two overlaps of a minute at more than a thousand events a second: some 30 MB. */
const MAX_REMEMBERED = 200_000;
