import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  attachCard,
  chargeOf,
  createPayer,
  NOW_MS,
  type Payer,
  prepared,
} from '../../../../test/payment-provider/provider-under-test.ts';
import { type Fault, type StripeDouble, startStripeDouble } from '../../../../test/stripe-double/index.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { createStripeProvider } from './create-stripe-provider.ts';

let double: StripeDouble;
let provider: PaymentProvider;
/** For requests that are never answered. All others get the time they need on a busy machine. */
let impatient: PaymentProvider;
const logLines: string[] = [];

beforeAll(async () => {
  double = await startStripeDouble();
  provider = createStripeProvider({ ...connection(), timeoutMs: 300_000 });
  impatient = createStripeProvider({ ...connection(), timeoutMs: 2_000 });
});
afterAll(() => double.close());
afterEach(() => double.faults.clear());

function connection() {
  const { apiBase, secretKey, webhookSecret } = double;
  return { apiBase, secretKey, webhookSecret };
}

/** A proxy's page that looks like a payment unless it is checked closely. */
const MISLEADING_PAGE = JSON.stringify({ id: 'pi_lies', object: 'payment_intent', status: 'succeeded' });

/** Each with its number of attempts. The SDK itself repeats a request once if its connection was closed. */
const FAULTS: ReadonlyArray<[string, Fault, number]> = [
  ['its response is lost', { kind: 'lose_response' }, 2],
  ['it is lost in transit', { kind: 'drop' }, 2],
  ['its response comes too late', { kind: 'latency', milliseconds: 86_400_000 }, 1],
  ['its response is cut short', { kind: 'truncate' }, 1],
  ['Stripe fails before it is done', { kind: 'server_error', hasBody: true }, 1],
  ['Stripe fails before it is done, without a body', { kind: 'server_error', hasBody: false }, 1],
  ['Stripe fails after it is done', { kind: 'server_error', hasBody: true, commits: true }, 1],
  ['it is rate limited', { kind: 'rate_limit' }, 1],
  ['its key is in use', { kind: 'in_use' }, 1],
  ['a gateway answers 200', { kind: 'gateway', status: 200, body: '{"status":"ok"}' }, 1],
  ['a gateway answers 200 with an empty object', { kind: 'gateway', status: 200, body: '{}' }, 1],
  ['a gateway answers 502', { kind: 'gateway', status: 502, body: '{"message":"Bad gateway"}' }, 1],
  [
    'a gateway answers 502 after it is done',
    { kind: 'gateway', status: 502, body: '{"message":"?"}', commits: true },
    1,
  ],
  ['a gateway answers 404', { kind: 'gateway', status: 404, body: '{"message":"Not found"}' }, 1],
  ['a gateway answers 502 with its own error', { kind: 'gateway', status: 502, body: '{"error":"bad gateway"}' }, 1],
  ['a gateway answers 403', { kind: 'gateway', status: 403, body: '{"error":{"message":"no"}}' }, 1],
  ['a gateway answers 503 with an apparent payment', { kind: 'gateway', status: 503, body: MISLEADING_PAGE }, 1],
  ['a gateway answers with a page', { kind: 'gateway', status: 200, body: '<html>Maintenance</html>' }, 1],
  ['a gateway answers with bare text', { kind: 'gateway', status: 200, body: '"maintenance"' }, 1],
  ['a gateway answers with null', { kind: 'gateway', status: 502, body: 'null' }, 1],
];

async function announced() {
  const payer = await createPayer(provider);
  const { ref } = await attachCard(provider, payer, 'pm_card_visa');
  return prepared(provider, chargeOf(payer, ref, { purpose: 'renewal', isOnSession: false }));
}

function chargesOf(attemptId: string): number {
  return double.charges.filter((charge) => charge.attemptId === attemptId).length;
}

describe('a confirmation that fails in transit', () => {
  it.each(FAULTS)(
    '%s: the outcome is unknown, a lookup finds it, and the money is collected once',
    async (_what, fault, times) => {
      const charge = await announced();
      double.faults.add(fault, { on: /confirm$/, times });
      expect(await impatient.confirm(charge)).toMatchObject({ kind: 'unknown' });
      if (fault.kind === 'latency') {
        // It takes effect on arrival; only its response is lost.
        await expect.poll(() => chargesOf(charge.attemptId)).toBe(1);
      }
      const collected = chargesOf(charge.attemptId);
      expect(await provider.lookup(charge)).toEqual({ kind: collected === 1 ? 'succeeded' : 'unconfirmed' });
      expect(await provider.confirm(charge)).toEqual({ kind: 'succeeded' });
      expect(await provider.confirm(charge)).toEqual({ kind: 'succeeded' });
      double.forgetKeys();
      expect(await provider.confirm(charge)).toEqual({ kind: 'succeeded' });
      expect(chargesOf(charge.attemptId)).toBe(1);
    },
  );

  it('a response lost once is fetched again under the same key', async () => {
    const charge = await announced();
    double.faults.add({ kind: 'lose_response' }, { on: /confirm$/ });
    expect(await provider.confirm(charge)).toEqual({ kind: 'succeeded' });
    expect(chargesOf(charge.attemptId)).toBe(1);
  });

  it('a decline with a lost response is found, and the card is not tried again', async () => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_chargeCustomerFail');
    const charge = await prepared(provider, chargeOf(payer, ref));
    double.faults.add({ kind: 'lose_response' }, { on: /confirm$/, times: 2 });
    const declined = { kind: 'declined', declineCode: 'generic_decline', isHard: false };
    expect(await impatient.confirm(charge)).toMatchObject({ kind: 'unknown' });
    expect(await provider.lookup(charge)).toEqual(declined);
    double.forgetKeys();
    expect(await provider.confirm(charge)).toEqual(declined);
    const tries = double.events.filter(
      ({ type, object }) => type === 'payment_intent.payment_failed' && object.id === charge.paymentRef,
    );
    expect(tries).toHaveLength(1);
  });

  it.each(['the first', 'the second'])('a card that declines %s confirmation leaves nothing payable', async (which) => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_chargeCustomerFail');
    const charge = await prepared(provider, chargeOf(payer, ref));
    const secret = double.intents.get(charge.paymentRef)?.secret ?? '';
    if (which === 'the second') {
      double.faults.add({ kind: 'drop' }, { on: /confirm$/, times: 2 });
      expect(await provider.confirm(charge)).toMatchObject({ kind: 'unknown' });
    }
    expect(await provider.confirm(charge)).toMatchObject({ kind: 'declined', declineCode: 'generic_decline' });
    expect(() => double.payWithCard(secret, 'pm_card_visa')).toThrow(/canceled/);
    expect(chargesOf(charge.attemptId)).toBe(0);
  });

  it('a decline is found again if the response to closing the payment is lost', async () => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_chargeCustomerFail');
    const charge = await prepared(provider, chargeOf(payer, ref));
    double.faults.add({ kind: 'lose_response' }, { on: /cancel$/, times: 2 });
    expect(await provider.confirm(charge)).toMatchObject({ kind: 'unknown' });
    expect(double.intents.get(charge.paymentRef)?.status).toBe('canceled');
    expect(await provider.lookup(charge)).toMatchObject({ kind: 'declined', declineCode: 'generic_decline' });
  });

  it('a decline is a success if the customer has paid with another card', async () => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_chargeCustomerFail');
    const charge = await prepared(provider, chargeOf(payer, ref));
    double.faults.add({ kind: 'rate_limit' }, { on: /cancel$/ });
    expect(await provider.confirm(charge)).toMatchObject({ kind: 'unknown' });
    double.payWithCard(double.intents.get(charge.paymentRef)?.secret ?? '', 'pm_card_visa');
    expect(await provider.confirm(charge)).toEqual({ kind: 'succeeded' });
    expect(chargesOf(charge.attemptId)).toBe(1);
  });

  it('a failed authentication is not a decline until Stripe has closed the payment', async () => {
    const payer = await createPayer(provider);
    const { ref } = await attachCard(provider, payer, 'pm_card_authenticationRequired');
    const charge = await prepared(provider, chargeOf(payer, ref));
    const answer = await provider.confirm(charge);
    double.playCustomer(answer.kind === 'requires_action' ? answer.clientSecret : '', 'fail');
    double.faults.add({ kind: 'rate_limit' }, { on: /cancel$/ });
    expect(await impatient.lookup(charge)).toMatchObject({ kind: 'unknown' });
    expect(await provider.lookup(charge)).toMatchObject({ kind: 'declined' });
    expect(double.intents.get(charge.paymentRef)?.status).toBe('canceled');
  });
});

describe('another request that fails in transit', () => {
  it.each(FAULTS)(
    'preparing: %s: the outcome is unknown; the retry has the same reference and collects once',
    async (_what, fault, times) => {
      const payer = await createPayer(provider);
      const { ref } = await attachCard(provider, payer, 'pm_card_visa');
      const charge = chargeOf(payer, ref);
      double.faults.add(fault, { on: /payment_intents$/, times });
      expect(await impatient.prepare(charge)).toMatchObject({ kind: 'unknown' });
      const first = await prepared(provider, charge);
      expect(await prepared(provider, charge)).toEqual(first);
      expect(await provider.confirm(first)).toEqual({ kind: 'succeeded' });
      expect(chargesOf(charge.attemptId)).toBe(1);
    },
  );

  it.each(FAULTS)('looking up and canceling: %s: the outcome is unknown', async (_what, fault, times) => {
    const charge = await announced();
    double.faults.add(fault, { on: /^GET/, times });
    expect(await impatient.lookup(charge)).toMatchObject({ kind: 'unknown' });
    double.faults.clear();
    double.faults.add(fault, { on: /cancel$/, times });
    expect(await impatient.cancel(charge)).toMatchObject({ kind: 'unknown' });
    expect(await provider.cancel(charge)).toEqual({ kind: 'canceled' });
    expect(await provider.confirm(charge)).toEqual({ kind: 'canceled' });
    expect(chargesOf(charge.attemptId)).toBe(0);
  });

  it.each(FAULTS)(
    'creating a customer: %s: the outcome is unknown; the retry finds the customer',
    async (_what, fault, times) => {
      const customer = {
        organizationId: `org_${times}${FAULTS.findIndex(([, each]) => each === fault)}`,
        name: 'A',
        email: 'a@b.example',
      };
      double.faults.add(fault, { on: /customers$/, times });
      expect(await impatient.createCustomer(customer)).toMatchObject({ kind: 'unknown' });
      const opened = await provider.createCustomer(customer);
      expect(opened.kind).toBe('ready');
      expect(await provider.createCustomer(customer)).toEqual(opened);
    },
  );

  it.each(FAULTS)(
    'attaching and detaching: %s: the outcome is unknown; the retry succeeds',
    async (_what, fault, times) => {
      const payer: Payer = await createPayer(provider);
      const token = double.makeCard('pm_card_visa');
      double.faults.add(fault, { on: /attach$/, times });
      expect(await impatient.attachMethod({ ...payer, token, nowMs: NOW_MS })).toMatchObject({ kind: 'unknown' });
      expect(await provider.attachMethod({ ...payer, token, nowMs: NOW_MS })).toMatchObject({ kind: 'attached' });
      double.faults.add(fault, { on: /detach$/, times });
      expect(await impatient.detachMethod({ ...payer, methodRef: token })).toMatchObject({ kind: 'unknown' });
      expect(await provider.detachMethod({ ...payer, methodRef: token })).toEqual({ kind: 'detached' });
    },
  );

  it('a wrong key or an outage is an unknown outcome, never a decline, and does not reveal the key', async () => {
    const log = { warn: (...parts: unknown[]) => logLines.push(JSON.stringify(parts)) };
    const wrong = createStripeProvider({ ...connection(), secretKey: 'sk_test_wrong0123456789', log });
    const away = createStripeProvider({ ...connection(), apiBase: 'http://127.0.0.1:1', log });
    const charge = await announced();
    const outcomes = [await wrong.confirm(charge), await away.confirm(charge), await wrong.prepare(charge)];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
    const told = JSON.stringify([outcomes, logLines]);
    expect(logLines).toHaveLength(3);
    expect(told).not.toContain('sk_test');
    expect(told).not.toMatch(/_secret_/);
  });
});
