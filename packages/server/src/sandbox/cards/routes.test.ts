import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { createTestProvider } from '../../billing/index.ts';
import { newId } from '../../ids/index.ts';

const it = createTest({ environment: 'sandbox' })
  .extend('provider', { scope: 'file' }, ({ app }) =>
    createTestProvider({ database: app.database, masterKey: app.masterKey }),
  )
  /** A charge at the test provider that is waiting for this organization's customer. */
  .extend(
    'waitingCharge',
    ({ provider }) =>
      async (owner: Member, token = 'pm_card_authenticationRequired'): Promise<string> => {
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
      },
  );

const MAKE = '/v1/sandbox/payment-methods';
const CONFIRM = '/v1/sandbox/payments/confirm';
const VISA = { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 2040, cvc: '123' };

const make = (app: TestApp, admin: Member, change = {}, headers = {}) =>
  app.api.post(MAKE, admin.accessToken, { ...VISA, ...change }, headers);
const confirm = (app: TestApp, admin: Member, clientSecret: string, outcome = 'succeed', owner = admin, headers = {}) =>
  app.api.post(CONFIRM, owner.accessToken, { client_secret: clientSecret, outcome }, headers);

describe('POST /v1/sandbox/payment-methods', () => {
  it('201: turns a test card number into an attachable card', async ({ app, admin }) => {
    const answer = await make(app, admin);
    expect(answer.status).toBe(201);
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 };
    expect(answer.body.data).toEqual({ id: expect.stringMatching(/^pm_test_/), type: 'card', card });
    const body = { payment_method_id: answer.body.data.id };
    const attached = await app.api.post('/v1/payment-methods', admin.accessToken, body);
    expect(attached.status).toBe(201);
    expect(attached.body.data.card).toEqual(card);
  });

  it('declines a declining card when it is attached', async ({ app, admin }) => {
    const { id } = (await make(app, admin, { number: '4000000000000002' })).body.data;
    const answer = await app.api.post('/v1/payment-methods', admin.accessToken, { payment_method_id: id });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'payment_failed', details: { decline_code: 'generic_decline' } });
  });

  it.for([
    [{ number: '4242424242424241' }, 'number', 'incorrect_number'],
    [{ number: '4012888888881881' }, 'number', 'not_a_test_card'],
    [{ exp_month: 13 }, 'exp_month', 'invalid_expiry_month'],
    [{ exp_year: 2020 }, 'exp_year', 'invalid_expiry_year'],
    [{ exp_year: 1e300 }, 'exp_year', 'invalid_expiry_year'],
    [{ cvc: '12' }, 'cvc', 'invalid_cvc'],
  ] as const)('422: %o', async ([change, field, reason], { app, admin }) => {
    const answer = await make(app, admin, change);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details: { field, reason } });
  });

  it('checks the expiry by the organization’s clock', async ({ app }) => {
    const owner = await app.register();
    await app.moveClock(owner.organizationId, 40 * 365 * 86_400);
    const answer = await app.api.post(MAKE, owner.accessToken, VISA);
    expect(answer.body.error.details).toEqual({ field: 'exp_year', reason: 'invalid_expiry_year' });
  });

  it.for([
    [{ number: 4242424242424242 }, 'number', 'type'],
    [{ number: '4242' }, 'number', 'format'],
    [{ exp_month: '12' }, 'exp_month', 'type'],
    [{ cvc: 'abc' }, 'cvc', 'format'],
    [{ cvc: undefined }, 'cvc', 'required'],
    [{ name: 'Ada' }, 'name', 'unknown'],
  ] as const)('400: %o', async ([change, field, reason], { app, admin }) => {
    const answer = await make(app, admin, change);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('writes neither the number nor the security code to a log, an error or a stored response', async ({
    app,
    admin,
  }) => {
    const number = '5555 5555 5555 4444';
    const secrets = [number, number.replaceAll(' ', ''), '"8642"', '4012888888881881', '4242424242424241'];
    const key = { 'idempotency-key': 'card' };
    const kept = await make(app, admin, { number, cvc: '864' }, key);
    const replay = await make(app, admin, { number, cvc: '864' }, key);
    expect([replay.status, replay.body.data]).toEqual([201, kept.body.data]);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    const refused = [
      await make(app, admin, { number, cvc: '8642' }),
      await make(app, admin, { number: '4012888888881881' }),
      await make(app, admin, { number: '4242424242424241' }),
    ];
    const told = JSON.stringify([kept.body, refused.map((each) => each.body)]) + app.logLines.join('');
    const tables = ['idempotency_keys', 'test_cards', 'audit_entries', 'events'];
    const rows = await Promise.all(
      tables.map((table) => execute(app.database, `select to_jsonb(t)::text as row from ${table} t`)),
    );
    for (const secret of secrets) {
      expect(told + JSON.stringify(rows)).not.toContain(secret);
    }
  });

  it('401 without a token, 403 for billing', async ({ app, admin }) => {
    expect((await app.api.post(MAKE, undefined, VISA)).status).toBe(401);
    const clerk = await joinOrganization(app, admin, 'billing');
    const answer = await app.api.post(MAKE, clerk.accessToken, VISA, { 'x-organization-id': admin.organizationId });
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
  });
});

describe('POST /v1/sandbox/payments/confirm', () => {
  it.for([
    ['pm_card_authenticationRequired', 'succeed', { status: 'succeeded', decline_code: null }],
    ['pm_card_authenticationRequired', 'fail', { status: 'declined', decline_code: 'authentication_failed' }],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'succeed', { status: 'declined', decline_code: 'generic_decline' }],
  ] as const)('200: %s, %s', async ([token, outcome, data], { app, admin, waitingCharge }) => {
    const answer = await confirm(app, admin, await waitingCharge(admin, token), outcome);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(data);
  });

  it('returns the same for a replay; without its key the payment is no longer waiting', async ({
    app,
    admin,
    waitingCharge,
  }) => {
    const secret = await waitingCharge(admin);
    const key = { 'idempotency-key': 'confirm' };
    const first = await confirm(app, admin, secret, 'succeed', admin, key);
    const replay = await confirm(app, admin, secret, 'succeed', admin, key);
    expect([replay.status, replay.body.data]).toEqual([200, first.body.data]);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    const again = await confirm(app, admin, secret);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
  });

  it('404 for another organization’s payment, and for a wrong secret', async ({ app, admin, waitingCharge }) => {
    const secret = await waitingCharge(await app.register());
    for (const other of [secret, `${secret.slice(0, -1)}x`, 'nothing']) {
      const answer = await confirm(app, admin, other);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'payment' } });
    }
  });

  it.for([
    [{}, 'client_secret', 'required'],
    [{ client_secret: '', outcome: 'succeed' }, 'client_secret', 'length'],
    [{ client_secret: 'a', outcome: 'maybe' }, 'outcome', 'enum'],
  ] as const)('400: %o', async ([body, field, reason], { app, admin }) => {
    const answer = await app.api.post(CONFIRM, admin.accessToken, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('401 without a token, 403 for a member', async ({ app, admin }) => {
    const body = { client_secret: 'a', outcome: 'succeed' };
    expect((await app.api.post(CONFIRM, undefined, body)).status).toBe(401);
    const member = await joinOrganization(app, admin);
    const inIt = { 'x-organization-id': admin.organizationId };
    expect((await app.api.post(CONFIRM, member.accessToken, body, inIt)).status).toBe(403);
  });
});

it('production has no test cards', async () => {
  const production = await startAppForTest();
  const owner = await production.register();
  const answers = [
    await production.api.post(MAKE, owner.accessToken, VISA),
    await production.api.post(CONFIRM, owner.accessToken, { client_secret: 'a', outcome: 'succeed' }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  }
  expect(production.service.jobs.map((job) => job.name)).not.toContain('sandbox.delete-unused-cards');
});
