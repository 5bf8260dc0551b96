import { makeMethod } from './customers-and-methods.ts';
import { mapOf, type Params, textOf } from './form.ts';
import { type CardDecline, cardError, declineBody, invalid, required, unexpectedState } from './stripe-fault.ts';
import type { Intent, Method, World } from './world.ts';

export function createIntent(world: World, params: Params): object {
  const currency = textOf(params, 'currency');
  const amount = readAmount(params, currency ?? '');
  const customer = textOf(params, 'customer') ?? null;
  const method = textOf(params, 'payment_method') ?? null;
  if (currency === undefined) {
    throw required('currency');
  }
  const empty = Object.keys(params).find((name) => params[name] === '');
  if (empty !== undefined) {
    throw invalid(empty, `You passed an empty string for '${empty}'.`, 'parameter_invalid_empty');
  }
  if (params.payment_method_types !== undefined) {
    throw invalid('payment_method_types', 'Received unknown parameter: payment_method_types', 'parameter_unknown');
  }
  if (customer !== null) {
    world.customer(customer, 'customer');
  }
  if (method !== null) {
    requireUsable(world.method(method, 'payment_method'), customer);
  }
  const id = world.newId('pi');
  const intent: Intent = {
    id,
    secret: `${id}_secret_${world.newId('s').slice(2)}`,
    status: method === null ? 'requires_payment_method' : 'requires_confirmation',
    amount,
    currency,
    customer,
    method,
    description: textOf(params, 'description') ?? null,
    metadata: mapOf(params, 'metadata'),
    setupFutureUsage: textOf(params, 'setup_future_usage') ?? null,
    createdAtMs: world.nowMs(),
    error: null,
  };
  world.intents.set(id, intent);
  world.announce('payment_intent.created', showIntent(intent));
  return textOf(params, 'confirm') === 'true' ? confirmIntent(world, id, params) : showIntent(intent);
}

export function confirmIntent(world: World, id: string, params: Params): object {
  const intent = world.intent(id);
  if (!['requires_confirmation', 'requires_payment_method', 'requires_action'].includes(intent.status)) {
    throw unexpectedState(
      `You cannot confirm this PaymentIntent because it has already ${intent.status === 'succeeded' ? 'succeeded after being previously confirmed' : 'been canceled'}.`,
      showIntent(intent),
    );
  }
  intent.method = textOf(params, 'payment_method') ?? intent.method;
  if (intent.method === null) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method.",
      showIntent(intent),
    );
  }
  const method = world.method(intent.method, 'payment_method');
  requireUsable(method, intent.customer);
  intent.setupFutureUsage = textOf(params, 'setup_future_usage') ?? intent.setupFutureUsage;
  const isOffSession = textOf(params, 'off_session') === 'true';
  const { authentication, charge } = method.card;
  const isUnproved = authentication === 'always' || (authentication === 'until_set_up' && !method.hasMandate);
  if (isOffSession && isUnproved && charge === undefined) {
    throw fail(world, intent, { code: 'authentication_required', declineCode: 'authentication_required' });
  }
  if (!isOffSession && authentication !== undefined) {
    intent.status = 'requires_action';
    intent.error = null;
    world.announce('payment_intent.requires_action', showIntent(intent));
    return showIntent(intent);
  }
  if (charge !== undefined) {
    throw fail(world, intent, charge);
  }
  return succeed(world, intent);
}

export function cancelIntent(world: World, id: string): object {
  const intent = world.intent(id);
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      showIntent(intent),
    );
  }
  intent.status = 'canceled';
  world.announce('payment_intent.canceled', showIntent(intent));
  return showIntent(intent);
}

export function retrieveIntent(world: World, id: string): object {
  return showIntent(world.intent(id));
}

/** Newest first, in pages, of one customer if one is named. `created[gte]` and `created[lte]` are in seconds. */
export function listIntents(world: World, params: Params): object {
  const unknown = Object.keys(params).find((name) => !LIST_PARAMS.has(name));
  if (unknown !== undefined) {
    throw invalid(unknown, `Received unknown parameter: ${unknown}`, 'parameter_unknown');
  }
  const limit = Number(textOf(params, 'limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) {
    throw invalid('limit', 'This value must be between 1 and 100.', 'parameter_invalid_integer');
  }
  const customer = textOf(params, 'customer');
  const after = textOf(params, 'starting_after');
  const created = mapOf(params, 'created');
  const all = [...world.intents.values()].toReversed();
  const start = after === undefined ? 0 : all.indexOf(world.intent(after)) + 1;
  const fitting = all.slice(start).filter((intent) => {
    const seconds = Math.floor(intent.createdAtMs / 1000);
    const isInTime = seconds >= Number(created.gte ?? 0) && seconds <= Number(created.lte ?? Number.POSITIVE_INFINITY);
    return isInTime && (customer === undefined || intent.customer === customer);
  });
  const data = fitting.slice(0, limit).map(showIntent);
  return { object: 'list', url: '/v1/payment_intents', has_more: fitting.length > limit, data };
}

const LIST_PARAMS: ReadonlySet<string> = new Set(['customer', 'created', 'limit', 'starting_after']);

/** The customer answers the challenge in their browser. */
export function authenticateIntent(world: World, clientSecret: string, outcome: 'succeed' | 'fail'): void {
  const intent = [...world.intents.values()].find((each) => each.secret === clientSecret);
  if (intent?.status !== 'requires_action' || intent.method === null) {
    throw new Error('no payment waits for this customer');
  }
  const method = world.method(intent.method, 'payment_method');
  if (outcome === 'fail') {
    fail(world, intent, { code: 'payment_intent_authentication_failure' });
    return;
  }
  method.hasMandate ||= intent.setupFutureUsage === 'off_session';
  if (method.card.charge !== undefined) {
    fail(world, intent, method.card.charge);
    return;
  }
  succeed(world, intent);
}

export function collectElsewhere(world: World, amount: number, currency: string, metadata: Params): string {
  const params = { amount: String(amount), currency, metadata };
  createIntent(world, params);
  const intent = [...world.intents.values()].at(-1);
  if (intent === undefined) {
    throw new Error('the intent was not made');
  }
  succeed(world, intent);
  return intent.id;
}

/** The customer's browser pays with another card, as Stripe.js can do while the payment is open. */
export function payIntent(world: World, clientSecret: string, cardName: string): void {
  const intent = [...world.intents.values()].find((each) => each.secret === clientSecret);
  if (intent === undefined) {
    throw new Error('no payment has this secret');
  }
  const method = makeMethod(world, cardName);
  method.customer = intent.customer;
  confirmIntent(world, intent.id, { payment_method: method.id });
}

/** Three-decimal currencies are charged in tens, and those that only Stripe treats as two-decimal in hundreds. */
const STEPS: Readonly<Record<string, number>> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 };

function readAmount(params: Params, currency: string): number {
  const text = textOf(params, 'amount');
  if (text === undefined) {
    throw required('amount');
  }
  if (!/^[1-9]\d*$/.test(text)) {
    throw invalid('amount', `Invalid integer: ${text}`, 'parameter_invalid_integer');
  }
  const amount = Number(text);
  if (amount > 99_999_999) {
    throw invalid('amount', 'Amount must be no more than $999,999.99', 'amount_too_large');
  }
  const step = STEPS[currency] ?? 1;
  if (amount % step !== 0) {
    throw invalid('amount', `Amounts in ${currency} must be divisible by ${step}.`, 'parameter_invalid_integer');
  }
  if (amount < 50) {
    throw invalid('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
  }
  return amount;
}

function requireUsable(method: Method, customer: string | null): void {
  if (method.isSpent || method.customer !== customer) {
    throw invalid('payment_method', 'The PaymentMethod provided does not belong to the customer, or was detached.');
  }
}

function succeed(world: World, intent: Intent): object {
  intent.status = 'succeeded';
  intent.error = null;
  const method = intent.method === null ? undefined : world.methods.get(intent.method);
  if (method !== undefined && intent.setupFutureUsage === 'off_session') {
    method.hasMandate = true;
  }
  world.charges.push({
    id: world.newId('ch'),
    intentId: intent.id,
    attemptId: intent.metadata.attempt_id,
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    metadata: intent.metadata,
  });
  world.announce('payment_intent.succeeded', showIntent(intent));
  return showIntent(intent);
}

/** A failed intent loses its card and waits for another one. */
function fail(world: World, intent: Intent, decline: CardDecline) {
  intent.status = 'requires_payment_method';
  intent.method = null;
  intent.error = declineBody(decline);
  world.announce('payment_intent.payment_failed', showIntent(intent));
  return cardError(decline, { payment_intent: showIntent(intent) });
}

function showIntent(intent: Intent): Record<string, unknown> {
  return {
    id: intent.id,
    object: 'payment_intent',
    status: intent.status,
    amount: intent.amount,
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    currency: intent.currency,
    customer: intent.customer,
    payment_method: intent.method,
    description: intent.description,
    metadata: intent.metadata,
    created: Math.floor(intent.createdAtMs / 1000),
    setup_future_usage: intent.setupFutureUsage,
    client_secret: intent.secret,
    last_payment_error: intent.error,
    next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk' } : null,
    livemode: false,
  };
}
