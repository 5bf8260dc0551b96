import type { Records } from './billing-records.ts';
import type { Request } from './billing-steps.ts';

export interface SentRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

/** The call for a request, given the existing records. Undefined if there is nothing to send it to. */
export function requestOf(
  request: Request,
  records: Records,
  prefix: string,
  secrets: readonly string[],
): SentRequest | undefined {
  const { methods } = records;
  const planId = (place: number) => planOf(place, records);
  const subscription = (place: number) => subscriptionOf(place, records);
  switch (request.kind) {
    case 'create':
      return post('/v1/subscriptions', orderOf(request, records, prefix));
    case 'change':
      return of(subscription(request.place), (id) => ({
        method: 'PATCH',
        path: `/v1/subscriptions/${id}`,
        body: { plan_id: request.plan === undefined ? undefined : planId(request.plan), quantity: request.quantity },
      }));
    case 'preview':
      return of(subscription(request.place), (id) => ({
        method: 'GET',
        path: `/v1/subscriptions/${id}/preview?quantity=${request.quantity}`,
      }));
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
    case 'pay':
      return of(invoiceOf(request.place, records), (id) => post(`/v1/invoices/${id}/pay`, {}));
    case 'advance':
      return post('/v1/sandbox/clock/advance', { seconds: request.seconds });
  }
}

function orderOf(request: Extract<Request, { kind: 'create' }>, records: Records, prefix: string) {
  const method = typeof request.card === 'string' ? request.card : pick(records.methods, request.card)?.id;
  return {
    plan_id: planOf(request.plan, records),
    quantity: request.quantity,
    payment_method_id: method ?? 'pm_card_visa',
    ...(request.coupon === undefined ? {} : { coupon_code: prefix + ('ABCDX'[request.coupon] ?? '') }),
  };
}

function planOf(place: number, { plans }: Records): string | undefined {
  return pick(
    plans.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    place,
  )?.id;
}

/** Mostly a live one. Requests for ended ones are sent too, and refused. */
function subscriptionOf(place: number, { subscriptions }: Records): string | undefined {
  const live = subscriptions.filter(({ ended_at }) => ended_at === null);
  return pick(place > 5 || live.length === 0 ? subscriptions : live, place)?.id;
}

function invoiceOf(place: number, { invoices }: Records): string | undefined {
  const open = invoices.filter(({ status }) => status === 'open');
  return pick(open.length === 0 ? invoices : open, place)?.id;
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
