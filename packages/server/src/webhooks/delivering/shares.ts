/** How many attempts this process has under way for each of something, of which none may have more than a share. */
export class Shares {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** How many more there may be. */
  left(name: string): number {
    return this.#most - (this.#underWay.get(name) ?? 0);
  }

  begin(name: string): void {
    this.#underWay.set(name, (this.#underWay.get(name) ?? 0) + 1);
  }

  end(name: string): void {
    const count = (this.#underWay.get(name) ?? 1) - 1;
    if (count === 0) {
      this.#underWay.delete(name);
    } else {
      this.#underWay.set(name, count);
    }
  }

  /** Those that have no place left. */
  full(): string[] {
    return [...this.#underWay].filter(([, count]) => count >= this.#most).map(([name]) => name);
  }
}
