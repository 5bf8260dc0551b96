import type { TestCards } from '../../billing/index.ts';

export interface CardTools {
  /** The test provider's. Undefined in production, which has no test cards. */
  cards: TestCards | undefined;
  /** Settles the payment of this reference at the provider, and returns when the outcome is written. */
  settleByRef(provider: 'test', paymentRef: string): Promise<void>;
}
