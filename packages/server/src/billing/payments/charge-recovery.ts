import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';

/**
 * Finds charges whose records are lost here, before a payment is charged: a restored backup, or a database that took
 * over without the last transactions, lacks later charges. See recovery/.
 */
export interface ChargeRecovery {
  /** Looks up the provider's charges for payments of one organization. */
  findCharges(provider: PaymentProvider, payments: readonly PaymentState[], nowMs: number): Promise<ProviderCharges>;
  /** Decides whether one of these charges is the payment. */
  recoverCharge(
    provider: PaymentProvider,
    payment: PaymentState,
    charges: readonly ProviderCharge[] | undefined,
    nowMs: number,
  ): Promise<RecoveredCharge>;
}

/** By payment ID, the provider's charges for its subscription; undefined if the provider did not answer. */
export type ProviderCharges = ReadonlyMap<string, readonly ProviderCharge[] | undefined>;

/** What the provider has for a payment that is not prepared there under its ID. */
export type RecoveredCharge =
  /** Nothing: it is prepared as this attempt. */
  | { kind: 'nothing'; attempt: number | null }
  /** The payment itself. */
  | { kind: 'found'; paymentRef: string; attempt: number | null }
  /** It collected a different amount, which became credit, and this payment is closed. */
  | { kind: 'canceled' }
  /** Whether it was charged is unknown for now: nothing is charged until that is clear. */
  | { kind: 'unreachable' };
