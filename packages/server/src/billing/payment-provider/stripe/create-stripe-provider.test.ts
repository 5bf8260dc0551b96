import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachCard,
  chargeOf,
  createPayer,
  NOW_MS,
  payWith,
  prepared,
} from '../../../../test/payment-provider/provider-under-test.ts';
import { type StripeDouble, startStripeDouble } from '../../../../test/stripe-double/index.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { createStripeProvider } from './create-stripe-provider.ts';

let double: StripeDouble;
let provider: PaymentProvider;

beforeAll(async () => {
  double = await startStripeDouble();
  const { apiBase, secretKey, webhookSecret } = double;
  provider = createStripeProvider({ apiBase, secretKey, webhookSecret });
});
afterAll(() => double.close());

describe('requests to Stripe', () => {
  it('name the attempt and its organization, accept only cards, and confirm with a key of the attempt', async () => {
    const { payer, charge } = await payWith(provider, 'pm_card_visa', { amount: 1_234, currency: 'eur' });
    const [made, confirmed] = double.requests.filter(({ path }) => path.startsWith('/v1/payment_intents')).slice(-2);
    expect(made).toMatchObject({ path: '/v1/payment_intents', key: `prepare-${charge.attemptId}` });
    expect(made?.params).toEqual({
      amount: '1234',
      currency: 'eur',
      customer: payer.customerRef,
      payment_method: charge.methodRef,
      allowed_payment_method_types: { 0: 'card' },
      description: 'Pro, 5 seats',
      metadata: { organization_id: payer.organizationId, attempt_id: charge.attemptId },
    });
    expect(confirmed).toMatchObject({
      key: `confirm-${charge.attemptId}`,
      params: { setup_future_usage: 'off_session', use_stripe_sdk: 'true' },
    });
    expect(double.charges.at(-1)).toMatchObject({ attemptId: charge.attemptId, amount: 1_234, currency: 'eur' });
  });

  it('have no description if the charge has none', async () => {
    expect((await payWith(provider, 'pm_card_visa', { description: '' })).outcome).toEqual({ kind: 'succeeded' });
  });

  it('state that no customer is present at a renewal', async () => {
    await payWith(provider, 'pm_card_visa', { purpose: 'renewal', isOnSession: false });
    expect(double.requests.at(-1)?.params).toEqual({ off_session: 'true' });
  });

  it('send no telemetry, and include the name and address of the customer', async () => {
    const { customerRef } = await createPayer(provider);
    const last = double.requests.at(-1);
    expect(last).toMatchObject({
      path: `/v1/customers/${customerRef}`,
      params: { name: 'Acme', email: 'billing@acme.example' },
    });
    expect(double.requests.every(({ headers }) => headers['x-stripe-client-telemetry'] === undefined)).toBe(true);
  });

  it('replace a customer deleted at Stripe, but only once', async () => {
    const { organizationId, customerRef } = await createPayer(provider);
    double.deleteCustomer(customerRef);
    const attach = (ref: string) => provider.attachMethod({ customerRef: ref, token: 'pm_card_visa', nowMs: NOW_MS });
    expect(await attach(customerRef)).toEqual({ kind: 'customer_gone' });
    const open = () =>
      provider.createCustomer({ organizationId, name: 'Acme', email: undefined, insteadOf: customerRef });
    const [first, second] = await Promise.all([open(), open()]);
    expect(second).toEqual(first);
    const other = first.kind === 'ready' ? first.customerRef : '';
    expect(other).not.toBe(customerRef);
    expect(await attach(other)).toMatchObject({ kind: 'attached' });
  });

  it('let a customer pay even if Stripe refuses their address', async () => {
    const opened = await provider.createCustomer({ organizationId: 'org_odd', name: 'Odd', email: 'nobody' });
    expect(opened.kind).toBe('ready');
  });

  it('decline an amount that Stripe does not accept, instead of retrying it', async () => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_visa');
    expect(await provider.prepare(chargeOf(payer, ref, { amount: 49 }))).toEqual({
      kind: 'declined',
      declineCode: 'amount_too_small',
      isHard: false,
    });
  });

  it('multiply króna and shillings by a hundred, as Stripe requires', async () => {
    await payWith(provider, 'pm_card_visa', { amount: 990, currency: 'isk' });
    expect(double.charges.at(-1)).toMatchObject({ amount: 99_000, currency: 'isk' });
    await payWith(provider, 'pm_card_visa', { amount: 990, currency: 'jpy' });
    expect(double.charges.at(-1)).toMatchObject({ amount: 990, currency: 'jpy' });
  });

  it('detach a payment method that is not a card', async () => {
    const { customerRef } = await createPayer(provider);
    const token = double.makeCard('pm_card_visa', 'sepa_debit');
    const outcome = await provider.attachMethod({ customerRef, token, nowMs: NOW_MS });
    expect(outcome).toEqual({ kind: 'refused', reason: 'unknown' });
    expect(double.events.at(-1)).toMatchObject({ type: 'payment_method.detached', object: { id: token } });
  });

  it('treat a new status of Stripe as an unknown outcome', async () => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_visa');
    const charge = await prepared(provider, chargeOf(payer, ref));
    const body = JSON.stringify({ id: charge.paymentRef, object: 'payment_intent', status: 'requires_review' });
    double.faults.add({ kind: 'gateway', status: 200, body }, { on: /^GET/ });
    expect(await provider.lookup(charge)).toMatchObject({ kind: 'unknown' });
    const other = JSON.stringify({ id: 'pi_other', object: 'payment_intent', status: 'succeeded' });
    double.faults.add({ kind: 'gateway', status: 200, body: other }, { on: /confirm$/ });
    expect(await provider.confirm(charge)).toMatchObject({ kind: 'unknown' });
  });
});

describe('webhooks from Stripe', () => {
  const read = (body: string, headers: Record<string, string>) => provider.parseWebhook(Buffer.from(body), headers);
  const event = (type: string, id = 'pi_1') => ({ id: 'evt_1', type, object: { id, object: 'payment_intent' } });

  it.each(['succeeded', 'payment_failed', 'canceled', 'processing', 'requires_action'])(
    'payment_intent.%s names a payment',
    async (type) => {
      const { body, headers } = double.sign(event(`payment_intent.${type}`));
      expect(await read(body, headers)).toEqual({ kind: 'payment', eventId: 'evt_1', paymentRef: 'pi_1' });
    },
  );

  it('name a card that Stripe detached, and ignore other events', async () => {
    const detached = double.sign(event('payment_method.detached', 'pm_1'));
    expect(await read(detached.body, detached.headers)).toEqual({
      kind: 'method_detached',
      eventId: 'evt_1',
      methodRef: 'pm_1',
    });
    for (const type of ['payment_intent.created', 'customer.updated', 'invoice.paid']) {
      const { body, headers } = double.sign(event(type));
      expect(await read(body, headers)).toEqual({ kind: 'other', eventId: 'evt_1' });
    }
  });

  it('are refused if forged, altered, old or unsigned', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const { body, headers } = double.sign(event('payment_intent.succeeded'));
    const old = double.sign(event('payment_intent.succeeded'), nowSeconds - 301);
    const signature = headers['stripe-signature'] ?? '';
    const forgeries: Array<[string, Record<string, string>]> = [
      [body, {}],
      [body, { 'stripe-signature': '' }],
      [body, { 'stripe-signature': 'v1=00' }],
      [body, { 'stripe-signature': signature.replace(/v1=./, 'v1=x') }],
      [body, { 'stripe-signature': signature.replace('v1=', 'v0=') }],
      [body, { 'stripe-signature': signature.replace(/t=\d+/, `t=${nowSeconds + 1}`) }],
      [body.replace('pi_1', 'pi_2'), headers],
      [`${body} `, headers],
      ['', headers],
      [old.body, old.headers],
    ];
    for (const [text, given] of forgeries) {
      expect(await read(text, given)).toMatchObject({ kind: 'forged' });
    }
    const young = double.sign(event('payment_intent.succeeded'), nowSeconds - 290);
    expect(await read(young.body, young.headers)).toMatchObject({ kind: 'payment' });
  });
});
