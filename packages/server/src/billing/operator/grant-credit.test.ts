import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { requireInvariants } from '../../../test/harness/require-invariants.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock } from '../../../test/harness/two-factor.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const clock = new MovedClock();
const it = createTest({ environment: 'sandbox', clock }).extend('finance', { scope: 'file' }, ({ app }) =>
  registerStaff(app, clock, 'finance'),
);

const CREDIT = { amount: 5_000, currency: 'usd', reason: 'An outage' };

const grant = (app: TestApp, token: string | undefined, customer: Member, more: object = {}, headers = {}) =>
  app.api.post(
    '/v1/operator/credits',
    token,
    { organization_id: customer.organizationId, ...CREDIT, ...more },
    headers,
  );

describe('POST /v1/operator/credits', () => {
  it('201: adds to the balance, and the next invoice uses it', async ({ app, shop, finance, ada }) => {
    const first = await grant(app, finance.accessToken, ada);
    expect(first.status).toBe(201);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^cred_/),
      organization_id: ada.organizationId,
      ...CREDIT,
      credit_balance: 5_000,
      created_at: expect.stringMatching(/Z$/),
    });
    const second = await grant(app, finance.accessToken, ada, { amount: 1_000 });
    expect(second.body.data.credit_balance).toBe(6_000);
    const euros = await grant(app, finance.accessToken, ada, { currency: 'eur' });
    expect(euros.body.data.credit_balance).toBe(5_000);
    await shop.buy(ada);
    expect(await shop.invoices(ada)).toMatchObject([{ total: 14_500, credit_applied: 6_000, amount_due: 8_500 }]);
    await requireInvariants(app.database);
  });

  it('shows the customer who granted it and why, in their audit log and as an event', async ({ app, finance, ada }) => {
    const { body } = await grant(app, finance.accessToken, ada);
    const log = await app.api.get('/v1/audit-log?action=credit.granted', ada.accessToken);
    expect(log.body.data).toMatchObject([
      {
        actor: { type: 'staff', id: finance.userId, email: finance.email },
        target: { type: 'credit', id: body.data.id },
        before: { credit_balance: 0 },
        after: { ...CREDIT, credit_balance: 5_000 },
      },
    ]);
    const events = await app.api.get('/v1/events?type=credit.granted', ada.accessToken);
    expect(events.body.data).toMatchObject([
      { data: { object: { credit_id: body.data.id, ...CREDIT, credit_balance: 5_000 } } },
    ]);
  });

  it('grants once per Idempotency-Key, even for many simultaneous requests', async ({ app, finance, ada }) => {
    const headers = { 'idempotency-key': 'one credit' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => grant(app, finance.accessToken, ada, {}, headers)),
    );
    const last = await grant(app, finance.accessToken, ada, {}, headers);
    expect(last.body.data.credit_balance).toBe(5_000);
    for (const answer of answers) {
      expect([201, 409]).toContain(answer.status);
    }
    expect((await grant(app, finance.accessToken, ada, { amount: 1 }, headers)).status).toBe(422);
  });

  it('counts each of many simultaneous grants', async ({ app, finance, ada }) => {
    await Promise.all(Array.from({ length: 10 }, () => grant(app, finance.accessToken, ada, { amount: 100 })));
    const { body } = await grant(app, finance.accessToken, ada, { amount: 100 });
    expect(body.data.credit_balance).toBe(1_100);
    await requireInvariants(app.database);
  });

  it.for([
    [{ amount: 0 }, 'amount'],
    [{ amount: -100 }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ amount: 1_000_000_001 }, 'amount'],
    [{ currency: 'USD' }, 'currency'],
    [{ reason: '' }, 'reason'],
    [{ reason: ' \n ' }, 'reason'],
    [{ reason: undefined }, 'reason'],
    [{ organization_id: 'acme' }, 'organization_id'],
    [{ note: 'x' }, 'note'],
  ] as const)('400: refuses %j', async ([body, field], { app, finance, admin }) => {
    const { status, body: answer } = await grant(app, finance.accessToken, admin, body);
    expect([status, answer.error.code, answer.error.details.field]).toEqual([400, 'invalid_request', field]);
  });

  it.for([
    [{ currency: 'xyq' }, 'currency'],
    [{ currency: 'kwd', amount: 5_001 }, 'amount'],
  ] as const)('422: refuses %j, which cannot be charged', async ([body, field], { app, finance, admin }) => {
    const { status, body: answer } = await grant(app, finance.accessToken, admin, body);
    expect([status, answer.error.code, answer.error.details.field]).toEqual([422, 'validation_failed', field]);
  });

  it('401, 403 and 404: refuses strangers, other roles and unknown organizations', async ({ app, finance, admin }) => {
    const { token: support } = await makeOperatorToken(app, null, 'support');
    expect((await grant(app, undefined, admin)).status).toBe(401);
    expect((await grant(app, admin.accessToken, admin)).body.error.code).toBe('insufficient_scope');
    expect((await grant(app, support, admin)).body.error.details).toEqual({ required_role: 'finance' });
    const unknown = { organization_id: 'org_00000000000000000000000000' };
    expect((await grant(app, finance.accessToken, admin, unknown)).status).toBe(404);
  });

  it('does not find organizations of the other environment', async ({ admin }) => {
    const production = await startAppForTest();
    const { token } = await makeOperatorToken(production, null, 'finance');
    expect((await grant(production, token, admin)).status).toBe(404);
  });
});
