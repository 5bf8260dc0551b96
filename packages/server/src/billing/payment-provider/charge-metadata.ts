import type { Charge } from './payment-provider.ts';
import type { ChargeReason, ProviderCharge } from './provider-charge.ts';

/**
 * The stem of a provider's idempotency keys, derived only from the purpose of the charge, so a repeated charge after a
 * restore uses the same key. Charges of an earlier version keep the key derived from the payment's id.
 */
export function chargeKeyOf({ attemptId, purpose, reason }: Pick<Charge, 'attemptId' | 'purpose' | 'reason'>): string {
  if (reason === undefined) {
    return attemptId;
  }
  const { subscriptionId, periodIndex, attempt } = reason;
  return `${subscriptionId}-period-${periodIndex}-${purpose === 'change' ? 'change' : 'attempt'}-${attempt}`;
}

/**
 * The metadata that the provider stores with a charge. Nothing in it is random or time-dependent, so a repetition is
 * the same request.
 */
export function metadataOf({ attemptId, organizationId, purpose, reason }: Charge): Record<string, string> {
  if (reason === undefined) {
    return { organization_id: organizationId, attempt_id: attemptId };
  }
  const { subscriptionId, periodIndex, periodStartMs, attempt, order, request } = reason;
  return {
    organization_id: organizationId,
    subscription_id: subscriptionId,
    period_index: String(periodIndex),
    period_start: new Date(periodStartMs).toISOString(),
    purpose,
    attempt: String(attempt),
    ...(order === null ? {} : { plan_id: order.planId, quantity: String(order.quantity) }),
    ...(request === null ? {} : { request }),
  };
}

/** Reads the metadata that a provider stored. Anyone with access to the account can change it, so it is not trusted. */
export function parseMetadata(
  kept: Readonly<Record<string, unknown>> | null | undefined,
): Pick<ProviderCharge, 'organizationId' | 'purpose' | 'reason'> {
  const text = (name: string) => {
    const value = kept?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const organizationId = text('organization_id');
  const purpose = PURPOSES.find((each) => each === text('purpose'));
  const subscriptionId = text('subscription_id');
  const periodIndex = wholeNumber(text('period_index'));
  const attempt = wholeNumber(text('attempt'));
  const periodStartMs = Date.parse(text('period_start') ?? '');
  const isComplete = organizationId !== undefined && purpose !== undefined && Number.isFinite(periodStartMs);
  if (!isComplete || subscriptionId === undefined || periodIndex === undefined || attempt === undefined) {
    return { organizationId, purpose, reason: undefined };
  }
  const order = orderOf(text('plan_id'), wholeNumber(text('quantity')));
  return {
    organizationId,
    purpose,
    reason: { subscriptionId, periodIndex, periodStartMs, attempt, order, request: text('request') ?? null },
  };
}

const PURPOSES: ReadonlyArray<Charge['purpose']> = ['create', 'change', 'renewal', 'retry', 'pay'];

function orderOf(planId: string | undefined, quantity: number | undefined): ChargeReason['order'] {
  return planId === undefined || quantity === undefined ? null : { planId, quantity };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
