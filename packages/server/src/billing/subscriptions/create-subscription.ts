import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type Answered,
  type AuthorizedContext,
  type Refusal,
  requestInProgress,
} from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { CouponRow } from '../coupons/queries.ts';
import { redeemCoupon, requireCoupon } from '../coupons/redeem-coupon.ts';
import { draftPeriodInvoice } from '../ledger/draft-invoice.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { claimPayment } from '../ledger/payment-queries.ts';
import type { PaymentState, RequestKey } from '../ledger/payment-state.ts';
import { finalizeInvoice, markPaid, useCredit } from '../ledger/record-invoice.ts';
import { beginPayment } from '../ledger/record-payment.ts';
import { activated, addSubscription, newSubscription, presentCreated } from '../ledger/record-subscription.ts';
import { periodPriceOf } from '../ledger/subscription-rules.ts';
import { writeLedger } from '../ledger/write-ledger.ts';
import { anchorAt } from '../money/periods.ts';
import { addMethod } from '../payment-methods/add-method.ts';
import { attachToken, ensureCustomer, requireProvider } from '../payment-methods/attach-token.ts';
import { countPaymentsInFlight, findMethod, type MethodRow } from '../payment-methods/queries.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import {
  begin,
  type Charged,
  collectAndAnswer,
  findBegun,
  requestKeyOf,
  settleAndAnswer,
  type ToCollect,
} from '../payments/charge-flow.ts';
import { lookUpPayment } from '../payments/collect-payment.ts';
import { secretOf } from '../payments/settle-payment.ts';
import { lockPlanForSale } from '../plans/queries.ts';
import {
  refused,
  requireChargeable,
  requireNoFreeSubscription,
  requireRoomForSubscription,
  requireSellable,
} from './order-rules.ts';
import type { SubscriptionInput } from './schemas.ts';

const ROUTE = 'POST /v1/subscriptions';

/**
 * Subscribes the organization to a plan and charges the first period. Throws payment_failed when the card is declined: then
 * nothing was created. A repeated request whose first answer was lost resumes that payment instead of beginning another.
 */
export async function createSubscription(
  tools: BillingTools,
  context: AuthorizedContext,
  input: SubscriptionInput,
): Promise<Answer<unknown>> {
  const provider = requireProvider(tools);
  const { organizationId } = context.principal;
  const request = requestKeyOf(tools, context, ROUTE, input);
  const checked = await begin(context, tools, (ledger) => checkOrder(ledger, input, request));
  if (checked.kind === 'answered') {
    return checked.answer;
  }
  const { nowMs } = checked;
  if (checked.kind === 'resume') {
    const payment = await claimBegun(tools, organizationId, checked.paymentId);
    const outcome = await lookUpPayment(tools, provider, payment, nowMs);
    return settleAndAnswer(context, tools, payment, outcome, (tx, charged) => answer(tx, context, payment, charged));
  }
  const method = checked.known ?? (await attachToken(tools, organizationId, input.payment_method_id, nowMs));
  try {
    const begun = await begin(context, tools, (ledger) => beginOrder(ledger, context, input, method, request));
    return begun.kind === 'answered'
      ? begun.answer
      : await collectAndAnswer(context, tools, { ...begun, nowMs }, (tx, charged) =>
          answer(tx, context, begun.payment, charged),
        );
  } catch (error) {
    if (checked.known === undefined && 'ref' in method) {
      await forgetMethod(tools, organizationId, method).catch((failure: unknown) =>
        tools.log.warn({ err: failure }, 'a card that bought nothing stays attached at the provider'),
      );
    }
    throw error;
  }
}

/** The same request began a payment before, which nobody works on now. */
interface Resume {
  kind: 'resume';
  nowMs: number;
  paymentId: string;
}

interface Acceptable {
  kind: 'acceptable';
  nowMs: number;
  /** The payment method, if it is attached already. */
  known: MethodRow | undefined;
}

/** Makes every check that does not need the provider. */
async function checkOrder(
  ledger: Ledger,
  input: SubscriptionInput,
  request: RequestKey | undefined,
): Promise<Answered | Resume | Acceptable> {
  const { tx, organizationId, nowMs } = ledger;
  const begun = await findBegun(ledger, request);
  if (begun !== undefined) {
    const done = await ledger.subscription(begun.payment.subscriptionId);
    if (begun.payment.settledAtMs !== null && done !== undefined) {
      return { kind: 'answered', answer: { status: 201, data: presentCreated(done, '') } };
    }
    if (begun.isClaimed) {
      throw requestInProgress();
    }
    return { kind: 'resume', nowMs, paymentId: begun.payment.id };
  }
  await judgeOrder(ledger, input);
  return { kind: 'acceptable', nowMs, known: await findMethod(tx, organizationId, input.payment_method_id) };
}

async function judgeOrder(ledger: Ledger, input: SubscriptionInput): Promise<CouponRow | undefined> {
  const { tx, organizationId, nowMs } = ledger;
  const plan = requireSellable(await lockPlanForSale(tx, { planId: input.plan_id }), input.quantity);
  if (plan.price === 0) {
    await requireNoFreeSubscription(tx, organizationId);
  }
  const { coupon_code: code } = input;
  const coupon =
    code === undefined ? undefined : await requireCoupon(tx, { organizationId, code, currency: plan.currency, nowMs });
  const price = periodPriceOf(plan, input.quantity, coupon ?? null, 0);
  requireChargeable(price.subtotal, requireProvider(ledger.tools).maxAmount(plan.currency));
  await requireRoomForSubscription(ledger, input.quantity);
  return coupon;
}

/** Reserves what the order uses and writes the payment; if nothing is to be paid, the subscription begins at once. */
async function beginOrder(
  ledger: Ledger,
  context: AuthorizedContext,
  input: SubscriptionInput,
  method: MethodRow | AttachedMethod,
  request: RequestKey | undefined,
): Promise<Answered | ToCollect> {
  const { tx, tools, nowMs } = ledger;
  if ((await findBegun(ledger, request)) !== undefined) {
    // The same request was sent twice at once, and the other one was first.
    throw requestInProgress();
  }
  const coupon = await judgeOrder(ledger, input);
  if (coupon !== undefined) {
    await redeemCoupon(tx, coupon, nowMs);
  }
  const order = {
    planId: input.plan_id,
    quantity: input.quantity,
    couponId: coupon?.id ?? null,
    anchorMs: anchorAt(ledger.nowMs),
  };
  const subscription = await newSubscription(ledger, newId('subscription'), order);
  const { plan, quantity, coupon: held } = subscription;
  const price = periodPriceOf(plan, quantity, held, 0);
  const means = await ledger.means(plan.currency);
  const invoice = draftPeriodInvoice(newId('invoice'), 'create', subscription, price, means);
  await useCredit(ledger, invoice, subscription.id);
  const isKept = 'provider_ref' in method;
  if (isKept && (await findMethod(tx, ledger.organizationId, method.id)) === undefined) {
    throw refused('payment_method_id', 'unknown', 'The payment method was just removed.');
  }
  if (invoice.amountDue > 0) {
    const payment = beginPayment(ledger, {
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
    await writeLedger(ledger);
    return { kind: 'collect', payment, nowMs };
  }
  if (!isKept) {
    await addMethod(tools, tx, ledger.account, method, false);
  }
  const begun = activated({ ...subscription, latestInvoiceId: invoice.id });
  addSubscription(ledger, begun);
  markPaid(ledger, await finalizeInvoice(ledger, invoice, begun.id), null);
  ledger.mayChangeTier = true;
  await writeLedger(ledger);
  await audit(tx, context, begun.id, input);
  return { kind: 'answered', answer: { status: 201, data: presentCreated(begun, '') } };
}

async function answer(
  tx: Queries,
  context: AuthorizedContext,
  { invoiceId, intent }: PaymentState,
  { outcome, after, refusal }: Charged,
): Promise<Answer<unknown> | Refusal> {
  if (after === undefined) {
    return { refusal: refusal ?? requestInProgress() };
  }
  if (invoiceId === null && intent.kind === 'create') {
    await audit(tx, context, after.id, { plan_id: intent.planId, quantity: intent.quantity });
  }
  return { status: 201, data: presentCreated(after, secretOf(outcome)) };
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

/** Claims the payment that an earlier run of the same request left behind. */
async function claimBegun(tools: BillingTools, organizationId: string, paymentId: string): Promise<PaymentState> {
  const payment = await claimPayment(tools.database, { organizationId, id: paymentId });
  if (payment === undefined) {
    throw requestInProgress();
  }
  return payment;
}

/**
 * Nothing was created, so a card that came with the order is not kept either, unless another request has kept it or is
 * charging it. If that fails, the card stays attached at the provider and is known nowhere else.
 */
async function forgetMethod(tools: BillingTools, organizationId: string, { ref }: AttachedMethod): Promise<void> {
  const isUsed =
    (await findMethod(tools.database, organizationId, ref)) !== undefined ||
    (await countPaymentsInFlight(tools.database, { organizationId, id: ref, ref })) > 0;
  if (!isUsed) {
    const customerRef = await ensureCustomer(tools, organizationId);
    await tools.provider?.detachMethod({ customerRef, methodRef: ref });
  }
}
