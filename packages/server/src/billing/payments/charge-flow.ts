import { createHmac } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type Answered,
  type ApiError,
  type AuthorizedContext,
  httpError,
  keyReused,
  type Refusal,
  requestInProgress,
  runEffect,
  runPhase,
} from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import { type Ledger, withLedger } from '../ledger/ledger.ts';
import { claimPayment, findPaymentOfRequest } from '../ledger/payment-queries.ts';
import type { PaymentState, RequestKey } from '../ledger/payment-state.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { requireProvider } from '../payment-methods/attach-method.ts';
import { cancelPayment, collectPayment, lookUpPayment } from './collect-payment.ts';
import { type Collected, settlePayment } from './settle-payment.ts';

/*
 * How a request charges a customer: it begins a payment under the ledger's lock, collects it at the provider outside
 * any transaction, and answers under the lock again, in the transaction that writes the outcome.
 */

/** A request that charges a customer. */
export interface ChargeRequest {
  /** Undefined without an Idempotency-Key. */
  key: RequestKey | undefined;
  /** The answer for a subscription that is paid for, or waits for the customer. */
  present(subscription: SubscriptionState, clientSecret: string): Answer<unknown>;
  /** Returns the answer or refusal, in the transaction that writes the outcome. */
  answer(tx: Queries, charged: Charged): Promise<Answer<unknown> | Refusal>;
}

/** A payment after its outcome was written, with its subscription. */
export interface Charged {
  /** The payment as begun. */
  payment: PaymentState;
  before: SubscriptionState | undefined;
  after: SubscriptionState | undefined;
  /** The secret with which a client confirms the payment; empty if there is nothing to confirm. */
  clientSecret: string;
  /** Why the request fails, if the payment did. */
  refusal: ApiError | undefined;
}

/** A payment was begun, and is collected after the commit. */
export interface ToCollect {
  kind: 'collect';
  payment: PaymentState;
  /** The organization's clock. */
  nowMs: number;
}

/** The first run of this request began a payment and ended before it answered: its outcome is looked up. */
interface ToLookUp {
  kind: 'look_up';
  payment: PaymentState;
  /** The organization's clock. */
  nowMs: number;
}

/** An earlier payment still waits for the customer, and has to be superseded first. */
export interface Blocked {
  kind: 'blocked';
  payment: PaymentState;
  /** The organization's clock. */
  nowMs: number;
}

/** Charges the customer: `decide` begins the payment, unless the request repeats one that has begun. */
export async function charge(
  context: AuthorizedContext,
  tools: BillingTools,
  request: ChargeRequest,
  decide: (ledger: Ledger) => Promise<Answered | Blocked | ToCollect>,
): Promise<Answer<unknown>> {
  return finishCharge(context, tools, request, await beginCharge(context, tools, request, decide));
}

// --- Begin ---

/** Decides under the ledger's lock how a request charges, unless it repeats one that has begun. */
export async function beginCharge<Step extends { kind: string }>(
  context: AuthorizedContext,
  tools: BillingTools,
  request: ChargeRequest,
  decide: (ledger: Ledger) => Promise<Answered | Blocked | Step>,
): Promise<Answered | ToLookUp | Step> {
  return begin<ToLookUp | Step>(
    context,
    tools,
    async (ledger) => (await findRepeated(ledger, request)) ?? (await decide(ledger)),
  );
}

/**
 * Decides under the ledger's lock, and writes the ledger; an answer is stored for repeated requests. An earlier payment
 * that still waits for the customer is superseded: it is canceled first, so that it cannot collect money later. Throws
 * conflict if it can no longer be canceled.
 */
export async function begin<Step extends { kind: string }>(
  context: AuthorizedContext,
  tools: BillingTools,
  decide: (ledger: Ledger) => Promise<Answered | Blocked | Step>,
): Promise<Answered | Step> {
  const { organizationId } = context.principal;
  const phase = (tx: Queries) => withLedger(tx, tools, organizationId, decide);
  const first = await runPhase(context, phase);
  if (!isBlocked(first)) {
    return first;
  }
  await cancelPayment(tools, requireProvider(tools), first.payment, first.nowMs);
  const second = await runPhase(context, phase);
  if (isBlocked(second)) {
    throw paymentInProgress();
  }
  return second;
}

function isBlocked(step: { kind: string }): step is Blocked {
  return step.kind === 'blocked';
}

/** Refuses to begin anything while the outcome of a payment is unknown. */
export function paymentInProgress(): ApiError {
  return httpError('conflict', 'A payment for this subscription is in progress. Try again when it completes.');
}

/**
 * Finds the payment that the first run of this request began. Throws idempotency_key_reused if another request had the
 * key, and idempotency_in_progress while a process works on the payment.
 */
async function findRepeated(ledger: Ledger, { key, present }: ChargeRequest): Promise<Answered | ToLookUp | undefined> {
  const { tx, organizationId, nowMs } = ledger;
  const begun = key === undefined ? undefined : await findPaymentOfRequest(tx, { organizationId, requestKey: key.key });
  if (key === undefined || begun === undefined) {
    return undefined;
  }
  if (begun.requestHash?.equals(key.hash) !== true) {
    throw keyReused();
  }
  const subscription = await ledger.subscription(begun.subscriptionId);
  if (begun.settledAtMs !== null && subscription !== undefined) {
    return { kind: 'answered', answer: present(subscription, '') };
  }
  const payment = await claimPayment(tx, { organizationId, id: begun.id });
  if (payment === undefined) {
    throw requestInProgress();
  }
  return { kind: 'look_up', payment, nowMs };
}

/**
 * Identifies a repeated request, so that it finds the payment that its first run began if that run ended between the charge
 * and the answer. Undefined without an Idempotency-Key.
 */
export function requestKeyOf(
  context: AuthorizedContext,
  { masterKey }: BillingTools,
  route: string,
  content: unknown,
): RequestKey | undefined {
  const header = context.headers['idempotency-key'];
  if (typeof header !== 'string') {
    return undefined;
  }
  const secret = masterKey.deriveKey('payment-requests');
  const digest = (value: unknown) => createHmac('sha256', secret).update(JSON.stringify(value)).digest();
  return { key: digest([context.principal.userId, route, header]), hash: digest(content) };
}

// --- Collect and answer ---

/** Collects the payment, writes the outcome, and answers. */
export async function finishCharge(
  context: AuthorizedContext,
  tools: BillingTools,
  request: ChargeRequest,
  begun: Answered | ToCollect | ToLookUp,
): Promise<Answer<unknown>> {
  if (begun.kind === 'answered') {
    return begun.answer;
  }
  const { payment, nowMs } = begun;
  const collect = begun.kind === 'collect' ? collectPayment : lookUpPayment;
  const outcome: Collected = await collect(tools, requireProvider(tools), payment, nowMs);
  return runEffect(context, async (tx) => {
    const charged = await withLedger(tx, tools, payment.organizationId, (ledger) => settle(ledger, payment, outcome));
    return request.answer(tx, charged);
  });
}

async function settle(ledger: Ledger, payment: PaymentState, outcome: Collected): Promise<Charged> {
  const before = await ledger.subscription(payment.subscriptionId);
  const settled = await settlePayment(ledger, payment.id, outcome);
  const after = await ledger.subscription(payment.subscriptionId);
  const clientSecret = outcome.kind === 'requires_action' ? outcome.clientSecret : (outcome.secret ?? '');
  return { payment, before, after, clientSecret, refusal: refusalOf(outcome, settled) };
}

/** The settled payment decides, not the outcome: another process may have settled it first. */
function refusalOf(outcome: Collected, settled: PaymentState | undefined): ApiError | undefined {
  if (settled?.status === 'declined') {
    return paymentFailed(settled.declineCode ?? 'generic_decline');
  }
  if (settled?.status === 'succeeded' && settled.invoiceId === null) {
    return httpError('conflict', 'The payment succeeded too late. The amount was added to your credit balance.');
  }
  if (settled?.status !== 'canceled') {
    return undefined;
  }
  return outcome.kind === 'unreachable'
    ? httpError('service_unavailable', 'The payment provider did not respond. Nothing was charged. Try again.', {
        headers: { 'retry-after': '5' },
      })
    : httpError('conflict', 'The payment was canceled in the meantime. Nothing was charged.');
}
