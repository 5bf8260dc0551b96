import type { BillingTools } from '../billing-tools.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import type { RecoveredCharge } from '../payments/charge-recovery.ts';
import { creditUnrecordedCharge } from './credit-unrecorded-charge.ts';
import { mayBeUnrecorded } from './find-unrecorded-charges.ts';
import { judgeCharges } from './unrecorded-charge-rules.ts';

/** Decides whether one of the provider's charges is a payment whose record was lost. */
export async function recoverCharge(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  charges: readonly ProviderCharge[] | undefined,
  nowMs: number,
): Promise<RecoveredCharge> {
  if (!mayBeUnrecorded(payment)) {
    return { kind: 'nothing', attempt: payment.attempt };
  }
  if (charges === undefined) {
    return { kind: 'unreachable' };
  }
  const verdict = judgeCharges(payment, charges);
  switch (verdict.kind) {
    case 'adopt': {
      const { paymentRef, reason } = verdict.charge;
      tools.log.warn({ payment: payment.id, paymentRef }, 'adopted a payment that already existed at the provider');
      return { kind: 'found', paymentRef, attempt: reason?.attempt ?? payment.attempt };
    }
    case 'credit':
      await creditUnrecordedCharge(tools, payment, verdict.charge);
      return { kind: 'canceled' };
    case 'wait':
      return { kind: 'unreachable' };
    case 'charge':
      return (await closeAll(provider, verdict.open, nowMs))
        ? { kind: 'nothing', attempt: verdict.attempt }
        : { kind: 'unreachable' };
  }
}

/**
 * Closes charges that were not collected. False if one of them cannot be closed, for example because it was just
 * collected.
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
