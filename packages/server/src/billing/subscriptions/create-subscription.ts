import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  requestInProgress,
  runBeginning,
  runEffect,
  type Unfinished,
} from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Books } from '../books/books.ts';
import { openBooks } from '../books/books.ts';
import { closeBooks, keepBooks } from '../books/close-books.ts';
import {
  type CouponRow,
  findCoupon,
  findCouponById,
  judgeCoupon,
  presentCoupon,
  redeemCoupon,
} from '../coupons/queries.ts';
import { requireRedeemable } from '../coupons/require-redeemable.ts';
import { draftPeriodInvoice } from '../invoices/make-invoice.ts';
import { finalizeInvoice, markPaid, useCredit } from '../invoices/write-invoices.ts';
import { anchorAt } from '../money/periods.ts';
import { attachToken, ensureCustomer, requireProvider } from '../payment-methods/attach-token.ts';
import { keepMethod } from '../payment-methods/keep-method.ts';
import { findMethod, type MethodRow } from '../payment-methods/queries.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import { collectPayment, lookUpPayment } from '../payments/collect-payment.ts';
import { beginPayment } from '../payments/new-payment.ts';
import type { PaymentState } from '../payments/payment-state.ts';
import { claimPayment, isBeingCharged } from '../payments/queries.ts';
import { refusalOfPayment } from '../payments/refusal-of-payment.ts';
import { findBegun, type RequestKey, requestKeyOf } from '../payments/request-key.ts';
import { type Collected, secretOf, settlePayment } from '../payments/settle-payment.ts';
import { holdPlan } from '../plans/queries.ts';
import { requireRoomForSubscription } from './caps.ts';
import { requireNoFreeSubscription } from './live-billing-queries.ts';
import { refused, requireChargeable, requireSellable } from './order-rules.ts';
import { presentCreated } from './present-subscription.ts';
import type { SubscriptionInput } from './schemas.ts';
import { periodPriceOf } from './subscription-rules.ts';
import { activated, addSubscription, newSubscription } from './write-subscriptions.ts';

const ROUTE = 'POST /v1/subscriptions';

/**
 * Subscribes the organization to a plan and charges the first period. Throws payment_failed when the card is declined: then
 * nothing was created. A repetition of a request whose answer was lost goes on with its payment instead of beginning another.
 */
export async function createSubscription(
  tools: BillingTools,
  context: AuthorizedContext,
  input: SubscriptionInput,
): Promise<Answer<unknown>> {
  const provider = requireProvider(tools);
  const { organizationId } = context.principal;
  const request = requestKeyOf(tools.masterKey, context, ROUTE, input);
  const checked = await runBeginning(context, (tx) => checkOrder(tools, tx, organizationId, input, request));
  if (!('unfinished' in checked)) {
    return checked;
  }
  const { nowMs, begunPaymentId, known } = checked.unfinished;
  if (begunPaymentId !== undefined) {
    const payment = await takeOver(tools, organizationId, begunPaymentId);
    return answerFor(tools, context, payment, await lookUpPayment(tools, provider, payment, nowMs));
  }
  const method = known ?? (await attachToken(tools, organizationId, input.payment_method_id, nowMs));
  try {
    const begun = await runBeginning(context, (tx) => beginOrder(tools, tx, context, input, method, request));
    if (!('unfinished' in begun)) {
      return begun;
    }
    const payment = begun.unfinished;
    return await answerFor(tools, context, payment, await collectPayment(tools, provider, payment, nowMs));
  } catch (error) {
    if (known === undefined && 'ref' in method) {
      await forgetMethod(tools, organizationId, method).catch((failure: unknown) =>
        tools.log.warn({ err: failure }, 'a card that bought nothing stays tied at the provider'),
      );
    }
    throw error;
  }
}

interface CheckedOrder {
  nowMs: number;
  /** The payment that the same request began before. */
  begunPaymentId: string | undefined;
  /** The method, if it is attached already. */
  known: MethodRow | undefined;
}

/** Everything that can be refused before the provider is asked. */
async function checkOrder(
  tools: BillingTools,
  tx: Queries,
  organizationId: string,
  input: SubscriptionInput,
  request: RequestKey | undefined,
): Promise<Answer<unknown> | Unfinished<CheckedOrder>> {
  const books = await openBooks(tools, tx, organizationId);
  const { nowMs } = books;
  const begun = await findBegun(tx, organizationId, request);
  if (begun !== undefined) {
    const done = await books.subscription(begun.payment.subscriptionId);
    if (begun.payment.settledAtMs !== null && done !== undefined) {
      return { status: 201, data: presentCreated(done, '') };
    }
    if (begun.isClaimed) {
      throw requestInProgress();
    }
    return { unfinished: { nowMs, begunPaymentId: begun.payment.id, known: undefined } };
  }
  await judgeOrder(books, input);
  const known = await findMethod(tx, organizationId, input.payment_method_id);
  return { unfinished: { nowMs, begunPaymentId: undefined, known } };
}

async function judgeOrder(books: Books, input: SubscriptionInput): Promise<CouponRow | undefined> {
  const plan = requireSellable(await holdPlan(books.tx, input.plan_id), input.quantity);
  if (plan.price === 0) {
    await requireNoFreeSubscription(books.tx, books.organizationId);
  }
  const coupon = input.coupon_code === undefined ? undefined : await findCoupon(books.tx, input.coupon_code);
  if (input.coupon_code !== undefined) {
    judgeCoupon(coupon, { currency: plan.currency, nowMs: books.nowMs });
    await requireRedeemable(books.tx, books.organizationId, coupon);
  }
  const price = periodPriceOf(plan, input.quantity, coupon === undefined ? null : presentCoupon(coupon), 0);
  requireChargeable(price.subtotal, requireProvider(books.tools).maxAmount(plan.currency));
  await requireRoomForSubscription(books, input.quantity);
  return coupon;
}

/** Keeps back what the order uses and writes the payment; where nothing is to be paid, the subscription begins at once. */
async function beginOrder(
  tools: BillingTools,
  tx: Queries,
  context: AuthorizedContext,
  input: SubscriptionInput,
  method: MethodRow | AttachedMethod,
  request: RequestKey | undefined,
): Promise<Answer<unknown> | Unfinished<PaymentState>> {
  const books = await openBooks(tools, tx, context.principal.organizationId);
  if ((await findBegun(tx, books.organizationId, request)) !== undefined) {
    // The same request, sent twice at once, was here first.
    throw requestInProgress();
  }
  const coupon = await judgeOrder(books, input);
  if (coupon !== undefined && !(await redeemCoupon(tx, coupon.id))) {
    // The last was redeemed, or it was archived, since it was judged: it is judged again as it is now.
    judgeCoupon(await findCouponById(tx, coupon.id), { currency: coupon.currency ?? '', nowMs: books.nowMs });
    throw refused('coupon_code', 'used_up', 'The last redemption of the coupon was taken just now.');
  }
  const order = {
    planId: input.plan_id,
    quantity: input.quantity,
    couponId: coupon?.id ?? null,
    anchorMs: anchorAt(books.nowMs),
  };
  const subscription = await newSubscription(books, newId('subscription'), order);
  const { plan, quantity, coupon: held } = subscription;
  const price = periodPriceOf(plan, quantity, held, 0);
  const means = await books.means(plan.currency);
  const invoice = draftPeriodInvoice(newId('invoice'), 'create', subscription, price, means);
  await useCredit(books, invoice, subscription.id);
  const isKept = 'provider_ref' in method;
  if (isKept && (await findMethod(tx, books.organizationId, method.id)) === undefined) {
    throw refused('payment_method_id', 'unknown', 'The payment method was removed just now.');
  }
  if (invoice.amountDue > 0) {
    const payment = beginPayment(books, {
      subscriptionId: subscription.id,
      invoiceId: null,
      purpose: 'create',
      periodIndex: subscription.periodIndex,
      periodStartMs: subscription.periodStartMs,
      attempt: 1,
      intent: { kind: 'create', ...order, invoice, newMethod: isKept ? null : method },
      amount: invoice.amountDue,
      currency: invoice.currency,
      isOnSession: true,
      method: isKept ? method : { id: method.ref, provider_ref: method.ref },
      request,
    });
    await closeBooks(books);
    return { unfinished: payment };
  }
  if (!isKept) {
    await keepMethod(tools, tx, books.account, method, false);
  }
  const begun = activated({ ...subscription, latestInvoiceId: invoice.id });
  addSubscription(books, begun);
  markPaid(books, await finalizeInvoice(books, invoice, begun.id), null);
  books.mayChangeTier = true;
  await closeBooks(books);
  await audit(tx, context, begun.id, input);
  return { status: 201, data: presentCreated(begun, '') };
}

/** Writes the outcome with the answer, which is kept for a repetition; or throws what the outcome refuses. */
async function answerFor(
  tools: BillingTools,
  context: AuthorizedContext,
  payment: PaymentState,
  outcome: Collected,
): Promise<Answer<unknown>> {
  return runEffect(context, async (tx) => {
    const isNew = payment.invoiceId === null;
    const { settled, subscription } = await keepBooks(tools, tx, payment.organizationId, async (books) => ({
      settled: await settlePayment(books, payment.id, outcome),
      subscription: await books.subscription(payment.subscriptionId),
    }));
    if (subscription === undefined) {
      return { refusal: refusalOfPayment(outcome, settled) ?? requestInProgress() };
    }
    if (isNew && payment.intent.kind === 'create') {
      await audit(tx, context, subscription.id, { plan_id: payment.intent.planId, quantity: payment.intent.quantity });
    }
    return { status: 201, data: presentCreated(subscription, secretOf(outcome)) };
  });
}

async function audit(
  tx: Queries,
  context: AuthorizedContext,
  id: string,
  after: Pick<SubscriptionInput, 'plan_id' | 'quantity'>,
): Promise<void> {
  await recordAudit(tx, actorOf(context), {
    action: 'subscription.created',
    targetType: 'subscription',
    targetId: id,
    after: { plan_id: after.plan_id, quantity: after.quantity },
  });
}

/** Goes on with what an earlier run of the same request began and did not end. */
async function takeOver(tools: BillingTools, organizationId: string, paymentId: string): Promise<PaymentState> {
  const payment = await claimPayment(tools.database, organizationId, paymentId);
  if (payment === undefined) {
    throw requestInProgress();
  }
  return payment;
}

/**
 * Nothing was created, so a card that came with the order is not kept either, unless another request has kept it or is
 * charging it. Where that fails, it is tied at the provider and nowhere else.
 */
async function forgetMethod(tools: BillingTools, organizationId: string, { ref }: AttachedMethod): Promise<void> {
  const isUsed =
    (await findMethod(tools.database, organizationId, ref)) !== undefined ||
    (await isBeingCharged(tools.database, organizationId, ref));
  if (!isUsed) {
    const customerRef = await ensureCustomer(tools, organizationId);
    await tools.provider?.detachMethod({ customerRef, methodRef: ref });
  }
}
