import type Stripe from 'stripe';
import { parseMetadata } from '../charge-metadata.ts';
import type { ChargeSearch, PaymentProvider } from '../payment-provider.ts';
import type { ChargeReason, ProviderCharge, ProviderChargeStatus } from '../provider-charge.ts';
import { stateOfIntent } from './intent-outcome.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import type { StripeAnswer, StripeRequests } from './stripe-requests.ts';

type Searches = Pick<PaymentProvider, 'findCharges' | 'listCharges' | 'describeCharge'>;

/**
 * Finds PaymentIntents by their purpose. Lists them, newest first: Stripe's search by metadata lags by a minute or
 * more, and the charge may have been made a second ago by a process that is gone.
 */
export function createStripeSearches(requests: StripeRequests): Searches {
  return {
    findCharges: (sought) => findCharges(requests, sought),
    listCharges: async ({ sinceMs, cursor }) => {
      const created = { gte: Math.floor(sinceMs / 1000) };
      return pageOf(await list(requests, { created, ...(cursor === undefined ? {} : { starting_after: cursor }) }));
    },
    describeCharge: async ({ paymentRef }) => {
      const answer = await requests.send<Stripe.PaymentIntent>('payment_intent', (client) =>
        client.paymentIntents.retrieve(paymentRef),
      );
      if (answer.kind === 'refused') {
        const { code } = answer.refusal;
        return code === 'resource_missing'
          ? { kind: 'missing' }
          : { kind: 'unknown', reason: `stripe: refused ${code}` };
      }
      return answer.kind === 'unknown' ? answer : { kind: 'found', charge: chargeOfIntent(answer.value) };
    },
  };
}

const PAGE = 100;
/** Limits the payments of one customer to look through. A customer with more is not charged, to avoid a duplicate. */
const MOST_PAGES = 50;

async function findCharges(
  requests: StripeRequests,
  { customerRef, subscriptionIds, requests: digests, sinceMs }: ChargeSearch,
): ReturnType<Searches['findCharges']> {
  const sought = new Set([...subscriptionIds, ...digests]);
  const charges: ProviderCharge[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const created = { gte: Math.floor(sinceMs / 1000) };
    const after = cursor === undefined ? {} : { starting_after: cursor };
    const page = pageOf(await list(requests, { customer: customerRef, created, ...after }));
    if (page.kind === 'unknown') {
      return page;
    }
    charges.push(...page.charges.filter(({ reason }) => isSought(sought, reason)));
    cursor = page.next;
    if (cursor === undefined) {
      return { kind: 'found', charges };
    }
  }
  return { kind: 'unknown', reason: 'stripe: the customer has too many payments to look through' };
}

function isSought(sought: ReadonlySet<string>, reason: ChargeReason | undefined): boolean {
  return reason !== undefined && (sought.has(reason.subscriptionId) || sought.has(reason.request ?? ''));
}

function list(
  requests: StripeRequests,
  params: Stripe.PaymentIntentListParams,
): Promise<StripeAnswer<Stripe.ApiList<Stripe.PaymentIntent>>> {
  return requests.sendList<Stripe.PaymentIntent>((client) => client.paymentIntents.list({ ...params, limit: PAGE }));
}

function pageOf(
  answer: StripeAnswer<Stripe.ApiList<Stripe.PaymentIntent>>,
): { kind: 'page'; charges: ProviderCharge[]; next: string | undefined } | { kind: 'unknown'; reason: string } {
  if (answer.kind === 'refused') {
    return { kind: 'unknown', reason: `stripe: refused ${answer.refusal.code} ${answer.refusal.param}`.trimEnd() };
  }
  if (answer.kind === 'unknown') {
    return answer;
  }
  const { data, has_more: hasMore } = answer.value;
  return { kind: 'page', charges: data.map(chargeOfIntent), next: hasMore ? data.at(-1)?.id : undefined };
}

function chargeOfIntent(intent: Stripe.PaymentIntent): ProviderCharge {
  const { id, amount, amount_received: received, currency, status } = intent;
  return {
    paymentRef: id,
    customerRef: idOf(intent.customer),
    methodRef: idOf(intent.payment_method),
    // The collected amount, if any: staff may have captured less in the dashboard.
    amount: fromStripeAmount(status === 'succeeded' ? received : amount, currency),
    currency,
    status: statusOf(intent),
    createdAtMs: intent.created * 1000,
    ...parseMetadata(intent.metadata),
  };
}

function statusOf(intent: Stripe.PaymentIntent): ProviderChargeStatus {
  return stateOfIntent(intent).kind;
}

function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}
