import { createHmac } from 'node:crypto';
import type { StripeEvent } from './world.ts';

/** Where webhooks are sent, and what they are signed with. */
export interface WebhookTarget {
  url: string;
  secret: string;
}

/** What Stripe sends for an event: the body, and its signature with a real timestamp. */
export function signEvent(event: StripeEvent, secret: string, atSeconds = Math.floor(Date.now() / 1000)) {
  const body = JSON.stringify({
    id: event.id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: atSeconds,
    type: event.type,
    livemode: false,
    pending_webhooks: 1,
    data: { object: event.object },
  });
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex');
  return { body, headers: { 'stripe-signature': `t=${atSeconds},v1=${signature}` } };
}

/** Sends an event once. Returns the response status. */
export async function sendEvent(event: StripeEvent, target: WebhookTarget): Promise<number> {
  const { body, headers } = signEvent(event, target.secret);
  const response = await fetch(target.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Stripe/1.0', ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
