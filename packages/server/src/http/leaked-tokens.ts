/**
 * Ends tokens that were seen in the clear. Whoever listened has the token whatever port it was sent to, so every
 * environment of the process is asked.
 */
export class LeakedTokens {
  readonly #revokers: Array<(token: string) => Promise<boolean>> = [];
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure is told when an environment could not be asked; the token may live on there. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  addEnvironment(revoke: (token: string) => Promise<boolean>): void {
    this.#revokers.push(revoke);
  }

  /** Answers whether some environment knew the token and ended it. */
  async revoke(token: string): Promise<boolean> {
    const outcomes = await Promise.allSettled(this.#revokers.map((revoke) => revoke(token)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        this.#onFailure(outcome.reason);
      }
    }
    return outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value);
  }
}
