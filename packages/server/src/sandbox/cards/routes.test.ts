import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { createTestProvider } from '../../billing/index.ts';
import { newId } from '../../ids/index.ts';

let test: TestApp;
let ada: Member;
let provider: ReturnType<typeof createTestProvider>;

beforeAll(async () => {
  test = await openTestApp({ environment: 'sandbox' });
  provider = createTestProvider({ database: test.database, masterKey: test.masterKey });
  ada = await test.register();
});
afterAll(() => test.close());

const MAKE = '/v1/sandbox/payment-methods';
const CONFIRM = '/v1/sandbox/payments/confirm';
const VISA = { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 2040, cvc: '123' };

const make = (change = {}, headers = {}) => test.api.post(MAKE, ada.accessToken, { ...VISA, ...change }, headers);
const confirm = (clientSecret: string, outcome = 'succeed', owner = ada, headers = {}) =>
  test.api.post(CONFIRM, owner.accessToken, { client_secret: clientSecret, outcome }, headers);

/** A charge at the test provider that waits for this organization's customer. */
async function waitingCharge(owner: Member, token = 'pm_card_authenticationRequired'): Promise<string> {
  const { organizationId } = owner;
  const nowMs = Date.now();
  const customer = await provider.createCustomer({ organizationId, name: 'Ada', email: undefined });
  const customerRef = customer.kind === 'ready' ? customer.customerRef : expect.fail();
  const attached = await provider.attachMethod({ customerRef, token, nowMs });
  const charge = {
    attemptId: newId('payment'),
    organizationId,
    amount: 2_900,
    currency: 'usd',
    customerRef,
    methodRef: attached.kind === 'attached' ? attached.method.ref : expect.fail(),
    purpose: 'create' as const,
    isOnSession: true,
    setsUpMandate: true,
    description: 'Pro',
    nowMs,
  };
  const prepared = await provider.prepare(charge);
  const paymentRef = prepared.kind === 'prepared' ? prepared.paymentRef : expect.fail();
  const outcome = await provider.confirm({ ...charge, paymentRef });
  return outcome.kind === 'requires_action' ? outcome.clientSecret : expect.fail();
}

describe('POST /v1/sandbox/payment-methods', () => {
  it('201: makes of a test card number what can be attached', async () => {
    const answer = await make();
    expect(answer.status).toBe(201);
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 };
    expect(answer.body.data).toEqual({ id: expect.stringMatching(/^pm_test_/), type: 'card', card });
    const body = { payment_method_id: answer.body.data.id };
    const attached = await test.api.post('/v1/payment-methods', ada.accessToken, body);
    expect(attached.status).toBe(201);
    expect(attached.body.data.card).toEqual(card);
  });

  it('a card that declines is declined when it is attached', async () => {
    const { id } = (await make({ number: '4000000000000002' })).body.data;
    const answer = await test.api.post('/v1/payment-methods', ada.accessToken, { payment_method_id: id });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'payment_failed', details: { decline_code: 'generic_decline' } });
  });

  it.each([
    [{ number: '4242424242424241' }, 'number', 'incorrect_number'],
    [{ number: '4012888888881881' }, 'number', 'not_a_test_card'],
    [{ exp_month: 13 }, 'exp_month', 'invalid_expiry_month'],
    [{ exp_year: 2020 }, 'exp_year', 'invalid_expiry_year'],
    [{ exp_year: 1e300 }, 'exp_year', 'invalid_expiry_year'],
    [{ cvc: '12' }, 'cvc', 'invalid_cvc'],
  ])('422: %o', async (change, field, reason) => {
    const answer = await make(change);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details: { field, reason } });
  });

  it('judges the expiry by the organization’s clock', async () => {
    const owner = await test.register();
    await test.moveClock(owner.organizationId, 40 * 365 * 86_400);
    const answer = await test.api.post(MAKE, owner.accessToken, VISA);
    expect(answer.body.error.details).toEqual({ field: 'exp_year', reason: 'invalid_expiry_year' });
  });

  it.each([
    [{ number: 4242424242424242 }, 'number', 'type'],
    [{ number: '4242' }, 'number', 'format'],
    [{ exp_month: '12' }, 'exp_month', 'type'],
    [{ cvc: 'abc' }, 'cvc', 'format'],
    [{ cvc: undefined }, 'cvc', 'required'],
    [{ name: 'Ada' }, 'name', 'unknown'],
  ])('400: %o', async (change, field, reason) => {
    const answer = await make(change);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('neither the number nor the security code reaches a log, an error or a kept answer', async () => {
    const number = '5555 5555 5555 4444';
    const secrets = [number, number.replaceAll(' ', ''), '"8642"', '4012888888881881', '4242424242424241'];
    const key = { 'idempotency-key': 'card' };
    const kept = await make({ number, cvc: '864' }, key);
    const replay = await make({ number, cvc: '864' }, key);
    expect([replay.status, replay.body.data]).toEqual([201, kept.body.data]);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    const refused = [
      await make({ number, cvc: '8642' }),
      await make({ number: '4012888888881881' }),
      await make({ number: '4242424242424241' }),
    ];
    const told = JSON.stringify([kept.body, refused.map((each) => each.body)]) + test.logLines.join('');
    const tables = ['idempotency_keys', 'test_cards', 'audit_entries', 'events'];
    const rows = await Promise.all(
      tables.map((table) => execute(test.database, `select to_jsonb(t)::text as row from ${table} t`)),
    );
    for (const secret of secrets) {
      expect(told + JSON.stringify(rows)).not.toContain(secret);
    }
  });

  it('401 without a token, 403 for billing', async () => {
    expect((await test.api.post(MAKE, undefined, VISA)).status).toBe(401);
    const clerk = await joinOrganization(test, ada, 'billing');
    const answer = await test.api.post(MAKE, clerk.accessToken, VISA, { 'x-organization-id': ada.organizationId });
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
  });
});

describe('POST /v1/sandbox/payments/confirm', () => {
  it.each([
    ['pm_card_authenticationRequired', 'succeed', { status: 'succeeded', decline_code: null }],
    ['pm_card_authenticationRequired', 'fail', { status: 'declined', decline_code: 'authentication_failed' }],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'succeed', { status: 'declined', decline_code: 'generic_decline' }],
  ])('200: %s, %s', async (token, outcome, data) => {
    const answer = await confirm(await waitingCharge(ada, token), outcome);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(data);
  });

  it('a replay answers the same; without its key the payment waits no more', async () => {
    const secret = await waitingCharge(ada);
    const key = { 'idempotency-key': 'confirm' };
    const first = await confirm(secret, 'succeed', ada, key);
    const replay = await confirm(secret, 'succeed', ada, key);
    expect([replay.status, replay.body.data]).toEqual([200, first.body.data]);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    const again = await confirm(secret);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
  });

  it('404 for another organization’s payment, and for a secret that is not a true one', async () => {
    const secret = await waitingCharge(await test.register());
    for (const other of [secret, `${secret.slice(0, -1)}x`, 'nothing']) {
      const answer = await confirm(other);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'payment' } });
    }
  });

  it.each([
    [{}, 'client_secret', 'required'],
    [{ client_secret: '', outcome: 'succeed' }, 'client_secret', 'length'],
    [{ client_secret: 'a', outcome: 'maybe' }, 'outcome', 'enum'],
  ])('400: %o', async (body, field, reason) => {
    const answer = await test.api.post(CONFIRM, ada.accessToken, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('401 without a token, 403 for a member', async () => {
    const body = { client_secret: 'a', outcome: 'succeed' };
    expect((await test.api.post(CONFIRM, undefined, body)).status).toBe(401);
    const member = await joinOrganization(test, ada);
    const inIt = { 'x-organization-id': ada.organizationId };
    expect((await test.api.post(CONFIRM, member.accessToken, body, inIt)).status).toBe(403);
  });
});

it('in production there is nothing of it', async () => {
  const production = await openAppForTest();
  const owner = await production.register();
  const answers = [
    await production.api.post(MAKE, owner.accessToken, VISA),
    await production.api.post(CONFIRM, owner.accessToken, { client_secret: 'a', outcome: 'succeed' }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  }
  expect(production.app.jobs.map((job) => job.name)).not.toContain('sandbox.delete-unused-cards');
});
