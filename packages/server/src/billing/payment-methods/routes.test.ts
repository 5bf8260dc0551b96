import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { idsOf, NOBODYS, PATH } from '../../../test/harness/wallets.ts';

const it = createTest({ environment: 'sandbox' });

/** Whether the open invoice of a past due subscription is due for collection now. */
async function isDueNow(app: TestApp, id: string): Promise<boolean | undefined> {
  const [row] = await execute<{ is_due: boolean }>(
    app.database,
    `select next_action_at <= clock_timestamp() as is_due from subscriptions where id = $1`,
    [id],
  );
  return row?.is_due;
}

describe('POST /v1/payment-methods', () => {
  it('201: makes the first card the default, announces it and records it in the audit log', async ({
    app,
    wallets,
  }) => {
    const owner = await app.register();
    const answer = await wallets.attach(owner, 'pm_card_visa');
    expect(answer.status).toBe(201);
    const method = answer.body.data;
    expect(method).toMatchObject({ type: 'card', card: { brand: 'visa', last4: '4242' }, is_default: true });
    expect(method.id).toMatch(/^pm_[0-9a-z]{26}$/);
    expect(await wallets.list(owner)).toEqual([method]);
    expect(await wallets.typesOf(owner)).toEqual(['payment_method.attached']);
    expect(await wallets.auditOf(owner)).toEqual([
      { action: 'payment_method.attached', target_id: method.id, before: null, after: method },
    ]);
  });

  it('201: another becomes the default only on request', async ({ app, wallets }) => {
    const owner = await app.register();
    const first = await wallets.attached(owner, 'pm_card_visa');
    expect(await wallets.attached(owner, 'pm_card_mastercard')).toMatchObject({ is_default: false });
    const third = await wallets.attached(owner, 'pm_card_amex', { set_default: true });
    expect(third.is_default).toBe(true);
    expect(idsOf(await wallets.list(owner, '?is_default=true'))).toEqual([third.id]);
    const changed = { action: 'payment_method.default_changed', target_id: third.id, before: first, after: third };
    expect((await wallets.auditOf(owner)).at(-1)).toEqual(changed);
  });

  it('201: leaves an attached card unchanged, given its name, the provider’s ID or ours, and can make it the default', async ({
    app,
    wallets,
  }) => {
    const owner = await app.register();
    const first = await wallets.attached(owner, 'pm_card_visa');
    const second = await wallets.attached(owner, 'pm_card_mastercard');
    const again = await wallets.attach(owner, 'pm_card_mastercard');
    expect([again.status, again.body.data]).toEqual([201, second]);
    const moved = await wallets.attach(owner, second.id, { set_default: true });
    expect([moved.status, moved.body.data]).toEqual([201, { ...second, is_default: true }]);
    const ref = await wallets.refOf(first.id);
    expect((await wallets.attach(owner, ref)).body.data).toEqual({ ...first, is_default: false });
    expect(await wallets.typesOf(owner)).toEqual(['payment_method.attached', 'payment_method.attached']);
  });

  it('attaches one card, which is the only default, for twenty simultaneous requests', async ({ app, wallets }) => {
    const owner = await app.register();
    const answers = await Promise.all(Array.from({ length: 20 }, () => wallets.attach(owner, 'pm_card_visa')));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    expect(await wallets.typesOf(owner)).toEqual(['payment_method.attached']);
  });

  it('returns the same response to a replay and attaches nothing, even if the card was removed in between', async ({
    app,
    wallets,
  }) => {
    const owner = await app.register();
    const key = { 'idempotency-key': 'once' };
    const first = await wallets.attach(owner, 'pm_card_visa', {}, key);
    const [replay, alike] = await Promise.all([
      wallets.attach(owner, 'pm_card_visa', {}, key),
      wallets.attach(owner, 'pm_card_visa', {}, key),
    ]);
    for (const answer of [replay, alike]) {
      expect([answer.status, answer.body.data]).toEqual([201, first.body.data]);
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
    }
    await wallets.remove(owner, first.body.data.id);
    expect((await wallets.attach(owner, 'pm_card_visa', {}, key)).body.data).toEqual(first.body.data);
    expect(await wallets.list(owner)).toEqual([]);
    const reused = await wallets.attach(owner, 'pm_card_mastercard', {}, key);
    expect([reused.status, reused.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('charges the card immediately for past-due invoices, if it is the first or the new default', async ({
    app,
    wallets,
  }) => {
    const owner = await app.register();
    const ids = [await wallets.plantSubscription(owner, 'past_due')];
    expect(await isDueNow(app, ids[0] ?? '')).toBe(false);
    await wallets.attach(owner, 'pm_card_visa');
    expect(await isDueNow(app, ids[0] ?? '')).toBe(true);
    ids.push(await wallets.plantSubscription(owner, 'past_due'));
    const other = await wallets.attached(owner, 'pm_card_mastercard');
    expect(await isDueNow(app, ids[1] ?? '')).toBe(false);
    await wallets.attach(owner, other.id, { set_default: true });
    expect(await isDueNow(app, ids[1] ?? '')).toBe(true);
    ids.push(await wallets.plantSubscription(owner, 'past_due'));
    await wallets.attach(owner, other.id, { set_default: true });
    expect(await isDueNow(app, ids[2] ?? '')).toBe(false);
    await wallets.remove(owner, other.id);
    expect(await isDueNow(app, ids[2] ?? '')).toBe(true);
    await wallets.removeSubscriptions(owner);
  });

  it.for([
    [{}, 'payment_method_id', 'required'],
    [{ payment_method_id: '' }, 'payment_method_id', 'format'],
    [{ payment_method_id: 'pm_card visa' }, 'payment_method_id', 'format'],
    [{ payment_method_id: 'x'.repeat(256) }, 'payment_method_id', 'format'],
    [{ payment_method_id: 7 }, 'payment_method_id', 'type'],
    [{ payment_method_id: 'pm_card_visa', set_default: 'yes' }, 'set_default', 'type'],
    [{ payment_method_id: 'pm_card_visa', number: '4242424242424242' }, 'number', 'unknown'],
  ] as const)('400: %o', async ([body, field, reason], { app, admin }) => {
    const answer = await app.api.post(PATH, admin.accessToken, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it.for(['pm_card_nothing', NOBODYS, '4242424242424242'])(
    '422: %s is not an existing method',
    async (id, { wallets, admin }) => {
      const answer = await wallets.attach(admin, id);
      expect(answer.status).toBe(422);
      const details = { field: 'payment_method_id', reason: 'unknown' };
      expect(answer.body.error).toMatchObject({ code: 'validation_failed', details });
      expect(JSON.stringify(answer.body.error)).not.toContain(id);
    },
  );

  it('422: returns the code of a declined card, and stores nothing', async ({ app, wallets }) => {
    const owner = await app.register();
    const answer = await wallets.attach(owner, 'pm_card_chargeDeclinedInsufficientFunds');
    expect(answer.status).toBe(422);
    const details = { decline_code: 'insufficient_funds' };
    expect(answer.body.error).toMatchObject({ code: 'payment_failed', details });
    expect(await wallets.list(owner)).toEqual([]);
    expect(await wallets.typesOf(owner)).toEqual([]);
  });

  it('422: if payments are not configured', async () => {
    const production = await startAppForTest();
    const owner = await production.register();
    const answer = await production.api.post(PATH, owner.accessToken, { payment_method_id: 'pm_card_visa' });
    expect(answer.status).toBe(422);
    const details = { field: 'payment_method_id', reason: 'payments_not_configured' };
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details });
    expect((await production.api.get(PATH, owner.accessToken)).body.data).toEqual([]);
  });
});

describe('GET /v1/payment-methods', () => {
  it('pages, newest first, and filters', async ({ app, wallets }) => {
    const owner = await app.register();
    const made = [];
    for (const name of ['visa', 'mastercard', 'amex', 'discover', 'jcb']) {
      made.unshift((await wallets.attached(owner, `pm_card_${name}`)).id);
    }
    expect(idsOf(await wallets.list(owner))).toEqual(made);
    const first = await app.api.get(`${PATH}?limit=2`, owner.accessToken);
    const cursor = encodeURIComponent(first.body.pagination.next_cursor);
    const next = await app.api.get(`${PATH}?limit=3&cursor=${cursor}`, owner.accessToken);
    expect([...idsOf(first.body.data), ...idsOf(next.body.data)]).toEqual(made);
    expect(next.body.pagination).toEqual({ has_more: false, next_cursor: null });
    expect(idsOf(await wallets.list(owner, '?type=card&sort=created_at'))).toEqual(made.toReversed());
    expect(idsOf(await wallets.list(owner, '?is_default=true'))).toEqual(made.slice(-1));
    expect(idsOf(await wallets.list(owner, '?is_default=false'))).toEqual(made.slice(0, -1));
  });

  it.for(['type=bank', 'is_default=1', 'sort=brand', 'brand=visa'])('400: %s', async (query, { app, admin }) => {
    expect((await app.api.get(`${PATH}?${query}`, admin.accessToken)).status).toBe(400);
  });
});

describe('a request about payment methods', () => {
  it('401 without a token', async ({ app }) => {
    expect((await app.api.get(PATH)).status).toBe(401);
    expect((await app.api.post(PATH, undefined, { payment_method_id: 'pm_card_visa' })).status).toBe(401);
    expect((await app.api.call('DELETE', `${PATH}/${NOBODYS}`)).status).toBe(401);
  });

  it('is allowed with the billing role; 403 for a member', async ({ app, wallets }) => {
    const owner = await app.register();
    const inIt = { 'x-organization-id': owner.organizationId };
    const clerk = await joinOrganization(app, owner, 'billing');
    expect((await wallets.attach(clerk, 'pm_card_visa', {}, inIt)).status).toBe(201);
    const member = await joinOrganization(app, owner, 'member');
    const answers = [
      await app.api.get(PATH, member.accessToken, inIt),
      await wallets.attach(member, 'pm_card_visa', {}, inIt),
      await app.api.call('DELETE', `${PATH}/${NOBODYS}`, { token: member.accessToken, headers: inIt }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error]).toMatchObject([403, { code: 'forbidden', details: { required_role: 'billing' } }]);
    }
  });

  it('404 for an unknown method and for another organization’s, which is not listed either', async ({
    app,
    wallets,
    admin,
  }) => {
    const owner = await app.register();
    const method = await wallets.attached(owner, 'pm_card_visa');
    for (const id of [method.id, NOBODYS, 'pm_card_visa']) {
      const answer = await wallets.remove(admin, id);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'payment_method' } });
    }
    expect(idsOf(await wallets.list(admin))).not.toContain(method.id);
    expect((await wallets.attach(admin, method.id)).body.error.details.reason).toBe('unknown');
    expect(await wallets.list(owner)).toEqual([method]);
  });
});
