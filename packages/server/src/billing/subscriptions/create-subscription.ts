import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type Answered, type AuthorizedContext, requestInProgress } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { redeemCoupon } from '../coupons/redeem-coupon.ts';
import { draftPeriodInvoice, type InvoiceDraft } from '../ledger/draft-invoice.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RequestKey } from '../ledger/payment-state.ts';
import { beginPayment, finalizeInvoice, markPaid, useCredit } from '../ledger/record-money.ts';
import { activate, addSubscription, newSubscription, presentCreated } from '../ledger/record-subscription.ts';
import { periodPriceOf } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { anchorAt } from '../money/periods.ts';
import { addMethod, attachToken, detachUnused, requireProvider } from '../payment-methods/attach-method.ts';
import { findMethod, type MethodRow } from '../payment-methods/queries.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import {
  beginCharge,
  type ChargeRequest,
  charge,
  finishCharge,
  requestKeyOf,
  type ToCollect,
} from '../payments/charge-flow.ts';
import { refused, requireOrder } from './order-rules.ts';
import type { SubscriptionInput } from './schemas.ts';

/**
 * Subscribes the organization to a plan and charges the first period. Throws payment_failed if the card is declined;
 * nothing has then been created. A repeated request whose first response was lost resumes that payment instead of
 * beginning another.
 */
export async function createSubscription(
  context: AuthorizedContext,
  tools: BillingTools,
  input: SubscriptionInput,
): Promise<Answer<unknown>> {
  requireProvider(tools);
  const { organizationId } = context.principal;
  const request = chargeRequestOf(context, tools, input);
  const checked = await beginCharge(context, tools, request, (ledger) => checkOrder(ledger, input));
  if (checked.kind !== 'acceptable') {
    return finishCharge(context, tools, request, checked);
  }
  const method = checked.method ?? (await attachCard(tools, organizationId, input, checked.nowMs));
  try {
    return await charge(context, tools, request, (ledger) =>
      beginOrder(ledger, context, { input, method, key: request.key }),
    );
  } catch (error) {
    await detachCard(tools, organizationId, method);
    throw error;
  }
}

function chargeRequestOf(context: AuthorizedContext, tools: BillingTools, input: SubscriptionInput): ChargeRequest {
  const present: ChargeRequest['present'] = (subscription, clientSecret) => ({
    status: 201,
    data: presentCreated(subscription, clientSecret),
  });
  return {
    key: requestKeyOf(context, tools, 'POST /v1/subscriptions', input),
    present,
    answer: async (tx, { payment, after, clientSecret, refusal }) => {
      if (after === undefined) {
        return { refusal: refusal ?? requestInProgress() };
      }
      if (payment.invoiceId === null) {
        await audit(tx, context, after.id, input);
      }
      return present(after, clientSecret);
    },
  };
}

/** The payment method of an order. */
type OrderMethod =
  /** A payment method of the organization. */
  | { kind: 'stored'; row: MethodRow }
  /** A card that came with the order: it is stored with the order. */
  | { kind: 'new'; attached: AttachedMethod };

interface Acceptable {
  kind: 'acceptable';
  nowMs: number;
  /** Undefined for a card that is not attached yet. */
  method: OrderMethod | undefined;
}

/** Makes all checks that do not need the provider. */
async function checkOrder(ledger: Ledger, input: SubscriptionInput): Promise<Acceptable> {
  const { tx, organizationId, nowMs } = ledger;
  await requireOrder(ledger, input);
  const row = await findMethod(tx, organizationId, input.payment_method_id);
  return { kind: 'acceptable', nowMs, method: row === undefined ? undefined : { kind: 'stored', row } };
}

async function attachCard(
  tools: BillingTools,
  organizationId: string,
  { payment_method_id: token }: SubscriptionInput,
  nowMs: number,
): Promise<OrderMethod> {
  return { kind: 'new', attached: await attachToken(tools, organizationId, token, nowMs) };
}

/** Nothing was bought, so a card that came with the order is not stored either. */
async function detachCard(tools: BillingTools, organizationId: string, method: OrderMethod): Promise<void> {
  if (method.kind === 'new') {
    await detachUnused(tools, organizationId, method.attached.ref).catch((error: unknown) =>
      tools.log.warn({ err: error }, 'the card of a failed order is still attached at the provider'),
    );
  }
}

interface Order {
  input: SubscriptionInput;
  method: OrderMethod;
  key: RequestKey | undefined;
}

/**
 * Reserves the credit and coupon of the order, and begins its payment. If nothing is due, the subscription begins
 * immediately.
 */
async function beginOrder(ledger: Ledger, context: AuthorizedContext, order: Order): Promise<Answered | ToCollect> {
  const { tx, nowMs } = ledger;
  const { input, method, key } = order;
  const coupon = await requireOrder(ledger, input);
  if (coupon !== undefined) {
    await redeemCoupon(tx, coupon, nowMs);
  }
  await requireStillStored(ledger, method);
  const bought = {
    planId: input.plan_id,
    quantity: input.quantity,
    couponId: coupon?.id ?? null,
    anchorMs: anchorAt(nowMs),
  };
  const subscription = await newSubscription(ledger, newId('subscription'), bought);
  const invoice = await draftFirstInvoice(ledger, subscription);
  await useCredit(ledger, invoice, subscription.id);
  if (invoice.amountDue === 0) {
    return startUnpaid(ledger, context, order, { ...subscription, latestInvoiceId: invoice.id }, invoice);
  }
  const payment = beginPayment(ledger, {
    subscriptionId: subscription.id,
    invoiceId: null,
    purpose: 'create',
    periodIndex: subscription.periodIndex,
    periodStartMs: subscription.periodStartMs,
    attempt: 1,
    intent: { kind: 'create', ...bought, invoice, newMethod: method.kind === 'new' ? method.attached : null },
    amount: invoice.amountDue,
    currency: invoice.currency,
    isOnSession: true,
    method: method.kind === 'stored' ? method.row : { id: method.attached.ref, provider_ref: method.attached.ref },
    request: key,
  });
  return { kind: 'collect', payment, nowMs };
}

/** Throws validation_failed if a stored payment method was removed after the first check. */
async function requireStillStored({ tx, organizationId }: Ledger, method: OrderMethod): Promise<void> {
  if (method.kind === 'stored' && (await findMethod(tx, organizationId, method.row.id)) === undefined) {
    throw refused('payment_method_id', 'unknown', 'The payment method was just removed.');
  }
}

async function draftFirstInvoice(ledger: Ledger, subscription: SubscriptionState): Promise<InvoiceDraft> {
  const { plan, quantity, coupon, periodIndex } = subscription;
  const price = periodPriceOf(plan, quantity, coupon, periodIndex);
  const terms = await ledger.chargeTerms(plan.currency);
  return draftPeriodInvoice(newId('invoice'), 'create', subscription, price, terms);
}

/** Starts a subscription whose first invoice leaves nothing to charge. */
async function startUnpaid(
  ledger: Ledger,
  context: AuthorizedContext,
  { input, method }: Order,
  subscription: SubscriptionState,
  invoice: InvoiceDraft,
): Promise<Answered> {
  const { tx, tools, account } = ledger;
  if (method.kind === 'new') {
    await addMethod(tx, tools, account, method.attached, false);
  }
  const started = activate(subscription);
  addSubscription(ledger, started);
  markPaid(ledger, await finalizeInvoice(ledger, invoice, started.id), null);
  ledger.mayChangeTier = true;
  await audit(tx, context, started.id, input);
  return { kind: 'answered', answer: { status: 201, data: presentCreated(started, '') } };
}

async function audit(tx: Queries, context: AuthorizedContext, id: string, input: SubscriptionInput): Promise<void> {
  const { plan_id, quantity } = input;
  await recordAudit(tx, actorOf(context), {
    action: 'subscription.created',
    targetType: 'subscription',
    targetId: id,
    after: { plan_id, quantity },
  });
}
