import type { Records } from './billing-records.ts';
import type { Request } from './billing-steps.ts';

export interface SentRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

/** The call that a request is, among what there is; undefined where there is nothing to ask it for. */
export function requestOf(
  request: Request,
  { plans, subscriptions, invoices, methods }: Records,
  prefix: string,
  secrets: readonly string[],
): SentRequest | undefined {
  const planId = (place: number) => pick(plans.toSorted(byId), place)?.id;
  const live = subscriptions.filter(({ ended_at }) => ended_at === null);
  // Mostly what lives; what has ended is asked for too, in vain.
  const subscription = (place: number) => pick(place > 5 || live.length === 0 ? subscriptions : live, place)?.id;
  switch (request.kind) {
    case 'create': {
      const method = typeof request.card === 'string' ? request.card : pick(methods, request.card)?.id;
      return post('/v1/subscriptions', {
        plan_id: planId(request.plan),
        quantity: request.quantity,
        payment_method_id: method ?? 'pm_card_visa',
        ...(request.coupon === undefined ? {} : { coupon_code: prefix + ('ABCDX'[request.coupon] ?? '') }),
      });
    }
    case 'change': {
      const id = subscription(request.place);
      const plan = request.plan === undefined ? undefined : planId(request.plan);
      const body = { ...(plan === undefined ? {} : { plan_id: plan }), quantity: request.quantity };
      return id === undefined ? undefined : { method: 'PATCH', path: `/v1/subscriptions/${id}`, body };
    }
    case 'preview': {
      const id = subscription(request.place);
      const path = `/v1/subscriptions/${id}/preview?quantity=${request.quantity}`;
      return id === undefined ? undefined : { method: 'GET', path };
    }
    case 'cancel':
      return of(subscription(request.place), (id) =>
        post(`/v1/subscriptions/${id}/cancel`, { cancel_immediately: request.isNow, reason: 'because' }),
      );
    case 'resume':
      return of(subscription(request.place), (id) => post(`/v1/subscriptions/${id}/resume`, {}));
    case 'attach':
      return post('/v1/payment-methods', { payment_method_id: request.card, set_default: request.isDefault });
    case 'detach':
      return of(pick(methods, request.place)?.id, (id) => ({ method: 'DELETE', path: `/v1/payment-methods/${id}` }));
    case 'confirm':
      return of(pick(secrets.toReversed(), request.place % 3), (client_secret) =>
        post('/v1/sandbox/payments/confirm', { client_secret, outcome: request.outcome }),
      );
    case 'pay': {
      const open = invoices.filter(({ status }) => status === 'open');
      return of(pick(open.length === 0 ? invoices : open, request.place)?.id, (id) =>
        post(`/v1/invoices/${id}/pay`, {}),
      );
    }
    case 'advance':
      return post('/v1/sandbox/clock/advance', { seconds: request.seconds });
  }
}

function post(path: string, body: unknown): SentRequest {
  return { method: 'POST', path, body };
}

function of(id: string | undefined, make: (id: string) => SentRequest): SentRequest | undefined {
  return id === undefined ? undefined : make(id);
}

function pick<T>(rows: readonly T[], place: number): T | undefined {
  return rows[place % Math.max(rows.length, 1)];
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
