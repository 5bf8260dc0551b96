import type { BillingTools } from '../billing-tools.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { creditHeldCharge } from './credit-held-charge.ts';
import { mayBeHeld } from './find-held-charges.ts';
import { judgeHeld } from './held-charge-rules.ts';

/** What to do at the provider with a payment that it does not know under this id. */
export type HeldTake =
  /** Announce it, as this attempt. */
  | { kind: 'announce'; attempt: number | null }
  /** It exists there already, under this id. */
  | { kind: 'held'; paymentRef: string; attempt: number | null }
  /** The collected amount became credit, and this payment is closed. */
  | { kind: 'canceled' }
  /** Whether it was charged is unknown for now: nothing is charged until that is clear. */
  | { kind: 'unreachable' };

/** Decides whether lost rows already made a payment. `held`: the provider's charges for its subscription. */
export async function takeHeldCharge(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  held: readonly ProviderCharge[] | undefined,
  nowMs: number,
): Promise<HeldTake> {
  if (!mayBeHeld(payment)) {
    return { kind: 'announce', attempt: payment.attempt };
  }
  if (held === undefined) {
    return { kind: 'unreachable' };
  }
  const verdict = judgeHeld(payment, held);
  switch (verdict.kind) {
    case 'adopt': {
      const { paymentRef, reason } = verdict.charge;
      tools.log.warn({ payment: payment.id, paymentRef }, 'adopted a payment that already existed at the provider');
      return { kind: 'held', paymentRef, attempt: reason?.attempt ?? payment.attempt };
    }
    case 'credit':
      await creditHeldCharge(tools, payment, verdict.charge);
      return { kind: 'canceled' };
    case 'wait':
      return { kind: 'unreachable' };
    case 'charge':
      return (await closeAll(provider, verdict.open, nowMs))
        ? { kind: 'announce', attempt: verdict.attempt }
        : { kind: 'unreachable' };
  }
}

/**
 * Closes charges that were not collected. False when one of them cannot be closed, perhaps because it was collected
 * just now.
 */
async function closeAll(provider: PaymentProvider, open: readonly ProviderCharge[], nowMs: number): Promise<boolean> {
  for (const { paymentRef } of open) {
    const outcome = await provider.cancel({ paymentRef, nowMs });
    if (outcome.kind !== 'canceled' && outcome.kind !== 'declined') {
      return false;
    }
  }
  return true;
}
