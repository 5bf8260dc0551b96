/** Remembers only the events of the time span that is read again. */
export class SeenEvents {
  /** The creation time of each, in the order seen. */
  readonly #createdMs = new Map<string, number>();
  #fromMs = Number.NEGATIVE_INFINITY;

  /** The time from which events are remembered, in milliseconds since 1970. */
  get fromMs(): number {
    return this.#fromMs;
  }

  has(id: string): boolean {
    return this.#createdMs.has(id);
  }

  /** Remembers an event if it may be read again. */
  add(id: string, createdMs: number): void {
    if (createdMs <= this.#fromMs) {
      return;
    }
    this.#createdMs.set(id, createdMs);
    if (this.#createdMs.size > MAX_REMEMBERED) {
      this.#forgetHalf();
    }
  }

  /** Forgets events that will not be read again. Time only moves forward. */
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

  /** Reading less may miss an event that was committed late; forgetting arbitrary events would send some twice. */
  #forgetHalf(): void {
    const times = [...this.#createdMs.values()].toSorted((one, other) => one - other);
    this.forgetUntil(times[Math.floor(times.length / 2)] ?? this.#fromMs);
  }
}

/** Two overlaps of a minute at more than a thousand events per second: about 30 MB. */
const MAX_REMEMBERED = 200_000;
