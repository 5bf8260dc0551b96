import type { TokenResolver } from './principal.ts';

/**
 * Revokes tokens that were sent unencrypted. An eavesdropper has the token regardless of the port, so every environment
 * of the process is tried.
 */
export class LeakedTokens {
  readonly #environments: Array<Pick<TokenResolver, 'recall' | 'revokeLeaked'>> = [];
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure is called if an environment failed; the token may still be valid there. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  addEnvironment(tokens: Pick<TokenResolver, 'recall' | 'revokeLeaked'>): void {
    this.#environments.push(tokens);
  }

  /** Returns whether an environment knew the token and revoked it. */
  async revoke(token: string): Promise<boolean> {
    const outcomes = await Promise.allSettled(this.#environments.map((tokens) => tokens.revokeLeaked(token)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        this.#onFailure(outcome.reason);
      }
    }
    return outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value);
  }

  /** Whether the token was valid a moment ago, without a database query. */
  isRecalled(token: string): boolean {
    return this.#environments.some((tokens) => tokens.recall(token, undefined) !== undefined);
  }
}
