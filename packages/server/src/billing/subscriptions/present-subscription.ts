import type { Static } from 'typebox';
import { isoTime } from '../../clock/index.ts';
import type { Subscription } from './schemas.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** A subscription as the API and the events show it. */
export function presentSubscription(subscription: SubscriptionState): Static<typeof Subscription> {
  const { plan, coupon, pending } = subscription;
  return {
    id: subscription.id,
    status: subscription.status,
    plan: { id: plan.id, name: plan.name, price: plan.price, currency: plan.currency, interval: plan.interval },
    quantity: subscription.quantity,
    current_period_start: isoTime(subscription.periodStartMs),
    current_period_end: isoTime(subscription.periodEndMs),
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    created_at: isoTime(subscription.createdAtMs),
    canceled_at: timeOrNull(subscription.canceledAtMs),
    ended_at: timeOrNull(subscription.endedAtMs),
    coupon,
    latest_invoice_id: subscription.latestInvoiceId,
    license_id: subscription.licenseId,
    requires_action: subscription.requiresAction,
    pending_change:
      pending === null
        ? null
        : { quantity: pending.quantity, plan_id: pending.planId, expires_at: isoTime(pending.expiresAtMs) },
  };
}

/** What creating a subscription answers (service.md "Create-subscription result"); also what paying for one does. */
export function presentCreated({ id, status, requiresAction }: SubscriptionState, clientSecret: string) {
  return { id, status, client_secret: clientSecret, requires_action: requiresAction };
}

/** As whoever asked for a change gets it: with the secret to pay what waits. */
export function presentChanged(subscription: SubscriptionState, clientSecret: string) {
  const shown = presentSubscription(subscription);
  const pending = shown.pending_change;
  return { ...shown, pending_change: pending === null ? null : { ...pending, client_secret: clientSecret } };
}

function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : isoTime(timeMs);
}
