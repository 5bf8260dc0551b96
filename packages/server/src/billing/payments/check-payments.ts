import { ApiError, httpError } from '../../http/index.ts';
import { ASLEEP_MS, type Job } from '../../jobs/index.ts';
import { findClockEvenIfDeleted } from '../../organizations/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { withLedger } from '../ledger/ledger.ts';
import {
  claimPaymentsToCheck,
  claimPaymentsToCheckOf,
  findPaymentByRef,
  paymentsToCheckAreDue,
} from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import { reportPaymentOfDeleted } from '../notices/queue-notices.ts';
import type { ChargeOutcome } from '../payment-provider/payment-provider.ts';
import { lookUpPayment } from './collect-payment.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { settlePayment } from './settle-payment.ts';

const PORTION = 8;

/** Looks up payments whose outcome is unknown: after a crash, a lost answer, or an outage of the provider. */
export function checkPaymentsJob(tools: BillingTools): Job {
  return {
    name: 'billing.check-payments',
    everyMs: ASLEEP_MS,
    due: { check: paymentsToCheckAreDue },
    run: async () => {
      if (tools.provider === undefined) {
        return false;
      }
      const payments = await claimPaymentsToCheck(tools.database, { limit: PORTION });
      await checkEach(tools, payments);
      return payments.length >= PORTION;
    },
  };
}

/** The same for one organization; returns how many there were. */
export async function checkPaymentsOf(tools: BillingTools, organizationId: string): Promise<number> {
  const { database, provider } = tools;
  const payments =
    provider === undefined ? [] : await claimPaymentsToCheckOf(database, { organizationId, limit: PORTION });
  await checkEach(tools, payments);
  return payments.length;
}

/**
 * Updates a payment that the provider, or in the sandbox the simulated customer, has just named. The notification is
 * only a hint: the provider is queried, even for a payment booked as failed, which may still have succeeded. Ignores
 * payments that are not ours or were never confirmed. Throws service_unavailable if the provider does not answer, so
 * that the sender sends it again.
 */
export async function settleByRef(tools: BillingTools, providerName: string, paymentRef: string): Promise<void> {
  const payment = await findPaymentByRef(tools.database, { provider: providerName, ref: paymentRef });
  if (payment === undefined || payment.status === 'succeeded' || tools.provider === undefined) {
    return;
  }
  const nowMs = await clockOf(tools, payment.organizationId);
  const outcome = await tools.provider.lookup({ paymentRef, nowMs });
  if (outcome.kind === 'unknown') {
    throw httpError('service_unavailable', 'The payment provider did not answer.', {
      headers: { 'retry-after': '5' },
    });
  }
  if (outcome.kind !== 'unconfirmed') {
    await settleNamed(tools, payment, outcome);
    tools.due.ring();
  }
}

async function settleNamed(tools: BillingTools, payment: PaymentState, outcome: ChargeOutcome): Promise<void> {
  try {
    await withLedger(tools.database, tools, payment.organizationId, (ledger) =>
      settlePayment(ledger, payment.id, outcome),
    );
  } catch (error) {
    const isDeleted = error instanceof ApiError && error.code === 'not_found';
    if (!isDeleted || outcome.kind !== 'succeeded') {
      throw error;
    }
    await reportPaymentOfDeleted(tools, payment);
  }
}

async function checkEach(tools: BillingTools, payments: readonly PaymentState[]): Promise<void> {
  const { provider } = tools;
  // All concurrently, well within the minute of their claim. A failed one is retried when the claim ends.
  await mapConcurrently(provider === undefined ? [] : payments, PORTION, (payment) =>
    check(tools, payment).catch((error: unknown) =>
      tools.log.error({ err: error, payment: payment.id }, 'a payment could not be looked up'),
    ),
  );
}

async function check(tools: BillingTools, payment: PaymentState): Promise<void> {
  if (tools.provider === undefined) {
    return;
  }
  const nowMs = await clockOf(tools, payment.organizationId);
  const outcome = await lookUpPayment(tools, tools.provider, payment, nowMs);
  await withLedger(tools.database, tools, payment.organizationId, (ledger) =>
    settlePayment(ledger, payment.id, outcome),
  );
  tools.due.ring();
}

async function clockOf({ database }: BillingTools, organizationId: string): Promise<number> {
  return (await findClockEvenIfDeleted(database, { organizationId }))?.now_ms ?? 0;
}
