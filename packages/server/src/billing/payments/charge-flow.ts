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
  runEffect,
  runPhase,
} from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import { type Ledger, lockLedger } from '../ledger/ledger.ts';
import { type ClaimedPayment, findPaymentOfRequest } from '../ledger/payment-queries.ts';
import type { PaymentState, RequestKey } from '../ledger/payment-state.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { withLedger } from '../ledger/write-ledger.ts';
import { requireProvider } from '../payment-methods/attach-token.ts';
import { cancelPayment, collectPayment } from './collect-payment.ts';
import { type Collected, type CollectOutcome, settlePayment } from './settle-payment.ts';

/*
 * How a request charges a customer: begin (decide and commit a payment under the ledger's lock), collect (ask the provider,
 * outside of any transaction), answer (settle under the lock again, in the transaction that keeps the answer).
 */

/** A payment was begun, and is collected once the transaction is committed. */
export interface ToCollect {
  kind: 'collect';
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

/** Decides under the ledger's lock how to begin. What it writes is committed; an answer is kept for repeated requests. */
export async function begin<Step extends { kind: string }>(
  context: AuthorizedContext,
  tools: BillingTools,
  decide: (ledger: Ledger) => Promise<Answered | Step>,
): Promise<Answered | Step> {
  return runPhase(context, async (tx) => decide(await lockLedger(tx, tools, context.principal.organizationId)));
}

/**
 * Begins, and supersedes an earlier payment that still waits for the customer: it is canceled first, so that no money comes
 * for it later. Throws conflict when it can no longer be canceled.
 */
export async function beginSuperseding(
  context: AuthorizedContext,
  tools: BillingTools,
  decide: (ledger: Ledger) => Promise<Answered | ToCollect | Blocked>,
): Promise<Answered | ToCollect> {
  const first = await begin(context, tools, decide);
  if (first.kind !== 'blocked') {
    return first;
  }
  await cancelPayment(tools, requireProvider(tools), first.payment, first.nowMs);
  const second = await begin(context, tools, decide);
  if (second.kind === 'blocked') {
    throw paymentInProgress();
  }
  return second;
}

/** Refuses to begin anything while the outcome of a payment is unknown. */
export function paymentInProgress(): ApiError {
  return httpError('conflict', 'A payment for this subscription is in progress. Try again when it completes.');
}

/** A payment after its outcome was written, with its subscription. */
export interface Charged {
  outcome: Collected;
  before: SubscriptionState | undefined;
  after: SubscriptionState | undefined;
  /** Why the request fails, if the payment did. */
  refusal: ApiError | undefined;
}

type AnswerCharged = (tx: Queries, charged: Charged) => Promise<Answer<unknown> | Refusal>;

/** Collects what was begun, and answers. */
export async function collectAndAnswer(
  context: AuthorizedContext,
  tools: BillingTools,
  { payment, nowMs }: ToCollect,
  answer: AnswerCharged,
): Promise<Answer<unknown>> {
  const outcome = await collectPayment(tools, requireProvider(tools), payment, nowMs);
  return settleAndAnswer(context, tools, payment, outcome, answer);
}

/** Writes the outcome in one transaction with the answer, which is kept for repeated requests. */
export async function settleAndAnswer(
  context: AuthorizedContext,
  tools: BillingTools,
  payment: PaymentState,
  outcome: Collected,
  answer: AnswerCharged,
): Promise<Answer<unknown>> {
  return runEffect(context, async (tx) => {
    const { settled, ...subscription } = await withLedger(tx, tools, payment.organizationId, async (ledger) => ({
      before: await ledger.subscription(payment.subscriptionId),
      settled: await settlePayment(ledger, payment.id, outcome),
      after: await ledger.subscription(payment.subscriptionId),
    }));
    return answer(tx, { outcome, ...subscription, refusal: refusalOf(outcome, settled) });
  });
}

/** The settled payment decides, not the outcome: another process may have settled it first. */
function refusalOf(outcome: CollectOutcome, settled: PaymentState | undefined): ApiError | undefined {
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

/**
 * Identifies a repeated request, so that it finds the payment that its first run began if that run ended between the charge
 * and the answer. Undefined without an Idempotency-Key.
 */
export function requestKeyOf(
  { masterKey }: BillingTools,
  context: AuthorizedContext,
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

/** The payment that this request began before. Throws idempotency_key_reused when another request had the key. */
export async function findBegun(
  { tx, organizationId }: Ledger,
  request: RequestKey | undefined,
): Promise<ClaimedPayment | undefined> {
  const begun =
    request === undefined ? undefined : await findPaymentOfRequest(tx, { organizationId, requestKey: request.key });
  if (begun !== undefined && request !== undefined && begun.payment.requestHash?.equals(request.hash) !== true) {
    throw keyReused();
  }
  return begun;
}
