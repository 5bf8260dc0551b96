import type { TokenResolver } from './principal.ts';

/**
 * Ends tokens that were seen in the clear. An eavesdropper has the token no matter which port it was sent to, so every
 * environment of the process is asked.
 */
export class LeakedTokens {
  readonly #environments: Array<Pick<TokenResolver, 'recall' | 'revokeLeaked'>> = [];
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure is called when an environment could not be asked; the token may still be valid there. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  addEnvironment(tokens: Pick<TokenResolver, 'recall' | 'revokeLeaked'>): void {
    this.#environments.push(tokens);
  }

  /** Returns whether some environment knew the token and ended it. */
  async revoke(token: string): Promise<boolean> {
    const outcomes = await Promise.allSettled(this.#environments.map((tokens) => tokens.revokeLeaked(token)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        this.#onFailure(outcome.reason);
      }
    }
    return outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value);
  }

  /** Whether the token was found to be good a moment ago; asks no database. */
  isRecalled(token: string): boolean {
    return this.#environments.some((tokens) => tokens.recall(token, undefined) !== undefined);
  }
}
