import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { type Explanation, explainCharge } from './explain-charge.ts';
import { upsertOrphans } from './orphan-queries.ts';

/** When to review an awaited payment: its renewal should have adopted it by then. */
export const REVIEW_MS = 3_600_000;

/**
 * Handles a charge that is unknown here: it is adopted if its purpose is clear, and otherwise kept for finance to
 * review. Returns which.
 */
export async function recordUnknownCharge(
  tools: BillingTools,
  provider: 'test' | 'stripe',
  charge: ProviderCharge,
): Promise<Explanation> {
  const explanation = await explainCharge(tools, charge);
  if (explanation.kind === 'awaited' || explanation.kind === 'orphaned') {
    await keep(tools, provider, charge, explanation);
  }
  if (explanation.kind !== 'foreign' && explanation.kind !== 'known') {
    tools.due.ring();
  }
  return explanation;
}

async function keep(
  tools: BillingTools,
  provider: 'test' | 'stripe',
  charge: ProviderCharge,
  explanation: Extract<Explanation, { kind: 'awaited' | 'orphaned' }>,
): Promise<void> {
  const nowMs = tools.clock.nowMs();
  const { paymentRef, reason, amount, currency, customerRef, purpose, createdAtMs } = charge;
  const isOrphaned = explanation.kind === 'orphaned';
  const orphan = {
    id: newId('payment'),
    provider,
    provider_ref: paymentRef,
    organization_id: explanation.organizationId,
    subscription_id: reason?.subscriptionId ?? null,
    period_index: reason?.periodIndex ?? null,
    attempt: reason?.attempt ?? null,
    purpose: purpose ?? null,
    customer_ref: customerRef,
    amount,
    currency,
    status: explanation.kind,
    reason: isOrphaned ? explanation.reason : null,
    created_at: new Date(createdAtMs),
    found_at: new Date(nowMs),
    review_at: isOrphaned ? null : new Date(nowMs + REVIEW_MS),
  };
  await upsertOrphans(tools.database, { orphans: [orphan] });
  if (isOrphaned) {
    const { organizationId } = explanation;
    tools.log.error(
      { provider, paymentRef, organization: organizationId, reason: explanation.reason },
      'the provider collected a payment that matches no record',
    );
    tools.orphaned.ring();
  }
}
