import type { TestCards } from '../../billing/index.ts';

export interface CardTools {
  /** Of the test provider. Undefined in production, which has no test cards. */
  cards: TestCards | undefined;
  /** Settles the payment with this provider reference, and returns when the outcome is written. */
  settleByRef(provider: 'test', paymentRef: string): Promise<void>;
}
