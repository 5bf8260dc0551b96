import type { TestCards } from '../../billing/index.ts';

/** What the card routes run with. */
export interface CardTools {
  /** The test provider's, or undefined in production, where nothing of this can be done. */
  cards: TestCards | undefined;
  /** Writes what came of a payment that the provider knows by this reference, and returns when it is written. */
  settleByRef(provider: 'test', paymentRef: string): Promise<void>;
}
