/**
 * How many attempts this process has under way at each host and port. Many endpoints may lead to one destination, and
 * when it comes back after an outage they must not all run at it at once.
 */
export class Destinations {
  readonly #underWay = new Map<string, number>();

  /** Takes a place, or answers false when this destination has no more. */
  begin(destination: string): boolean {
    const count = this.#underWay.get(destination) ?? 0;
    if (count >= MOST) {
      return false;
    }
    this.#underWay.set(destination, count + 1);
    return true;
  }

  end(destination: string): void {
    const count = (this.#underWay.get(destination) ?? 1) - 1;
    if (count === 0) {
      this.#underWay.delete(destination);
    } else {
      this.#underWay.set(destination, count);
    }
  }

  /** Those that have no place left. */
  full(): string[] {
    return [...this.#underWay].filter(([, count]) => count >= MOST).map(([destination]) => destination);
  }
}

/** As many connections as the sender keeps to one origin. */
const MOST = 100;
