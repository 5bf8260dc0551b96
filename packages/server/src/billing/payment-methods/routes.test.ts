import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { newId } from '../../ids/index.ts';
import { ensureDefaultCatalogue } from '../catalogue/ensure-default-catalogue.ts';

let test: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await openTestApp({ environment: 'sandbox' });
  await ensureDefaultCatalogue(test.database);
  ada = await test.register();
});
afterAll(() => test.close());

const PATH = '/v1/payment-methods';
const attach = (id: unknown, owner = ada, more = {}, headers = {}) =>
  test.api.post(PATH, owner.accessToken, { payment_method_id: id, ...more }, headers);
const attached = async (id: string, owner = ada, more = {}) => (await attach(id, owner, more)).body.data;
const remove = (id: string, token: string | undefined = ada.accessToken) =>
  test.api.call('DELETE', `${PATH}/${id}`, { token });
const list = async (owner: Member, query = '') => (await test.api.get(PATH + query, owner.accessToken)).body.data;
const idsOf = (methods: Array<{ id: string }>) => methods.map((method) => method.id);

const typesOf = async (owner: Member) =>
  (
    await execute<{ type: string }>(test.database, 'select type from events where organization_id = $1 order by id', [
      owner.organizationId,
    ])
  ).map((event) => event.type);
const auditOf = async (owner: Member) =>
  execute<{ action: string; target_id: string; before: unknown; after: unknown }>(
    test.database,
    `select action, target_id, before, after from audit_entries
      where organization_id = $1 and target_type = 'payment_method' order by id`,
    [owner.organizationId],
  );

/** An id of the right form that nobody has. */
const NOBODYS = 'pm_01kagt2m8xf3q9wz5r7e6b4c1n';

/** Writes a subscription past the service, in this state. */
async function plantSubscription(owner: Member, status: 'incomplete' | 'active' | 'past_due' | 'canceled') {
  const id = newId('subscription');
  await execute(
    test.database,
    `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
      current_period_start, current_period_end, period_accrued, period_billed, dunning_ends_at, next_attempt_at,
      next_action_at, ended_at, created_at, updated_at)
    select $1, $2, $3, p.id, 1, 'usd', n.t, 0, n.t, n.t + interval '30 days', 0, 0,
      case when $3 = 'past_due' then n.t + interval '21 days' end,
      case when $3 = 'past_due' then n.t + interval '2 days' end,
      case when $3 <> 'canceled' then n.t + interval '2 days' end,
      case when $3 = 'canceled' then n.t end, n.t, n.t
    from (select clock_timestamp() as t) n, (select id from plans where key = 'pro') p`,
    [owner.organizationId, id, status],
  );
  return id;
}

/** Whether the open invoice of a past due subscription is to be tried now. */
async function isTriedNow(id: string): Promise<boolean | undefined> {
  const [row] = await execute<{ is_due: boolean }>(
    test.database,
    `select next_action_at <= clock_timestamp() as is_due from subscriptions where id = $1`,
    [id],
  );
  return row?.is_due;
}

describe('POST /v1/payment-methods', () => {
  it('201: the first is the default, is announced and stands in the audit log', async () => {
    const owner = await test.register();
    const answer = await attach('pm_card_visa', owner);
    expect(answer.status).toBe(201);
    const method = answer.body.data;
    expect(method).toMatchObject({ type: 'card', card: { brand: 'visa', last4: '4242' }, is_default: true });
    expect(method.id).toMatch(/^pm_[0-9a-z]{26}$/);
    expect(await list(owner)).toEqual([method]);
    expect(await typesOf(owner)).toEqual(['payment_method.attached']);
    expect(await auditOf(owner)).toEqual([
      { action: 'payment_method.attached', target_id: method.id, before: null, after: method },
    ]);
  });

  it('201: another becomes the default only where that is asked for', async () => {
    const owner = await test.register();
    const first = await attached('pm_card_visa', owner);
    expect(await attached('pm_card_mastercard', owner)).toMatchObject({ is_default: false });
    const third = await attached('pm_card_amex', owner, { set_default: true });
    expect(third.is_default).toBe(true);
    expect(idsOf(await list(owner, '?is_default=true'))).toEqual([third.id]);
    const changed = { action: 'payment_method.default_changed', target_id: third.id, before: first, after: third };
    expect((await auditOf(owner)).at(-1)).toEqual(changed);
  });

  it('200: one that is attached stays as it is, by its name, its provider id or ours, and can be made the default', async () => {
    const owner = await test.register();
    const first = await attached('pm_card_visa', owner);
    const second = await attached('pm_card_mastercard', owner);
    const again = await attach('pm_card_mastercard', owner);
    expect([again.status, again.body.data]).toEqual([200, second]);
    const moved = await attach(second.id, owner, { set_default: true });
    expect([moved.status, moved.body.data]).toEqual([200, { ...second, is_default: true }]);
    const [{ provider_ref: ref } = expect.fail()] = await execute<{ provider_ref: string }>(
      test.database,
      'select provider_ref from payment_methods where id = $1',
      [first.id],
    );
    expect((await attach(ref, owner)).body.data).toEqual({ ...first, is_default: false });
    expect(await typesOf(owner)).toEqual(['payment_method.attached', 'payment_method.attached']);
  });

  it('twenty at once keep one card, which is the only default', async () => {
    const owner = await test.register();
    const answers = await Promise.all(Array.from({ length: 20 }, () => attach('pm_card_visa', owner)));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(await typesOf(owner)).toEqual(['payment_method.attached']);
  });

  it('a replay answers the same and attaches nothing more, also when the card was removed since', async () => {
    const owner = await test.register();
    const key = { 'idempotency-key': 'once' };
    const first = await attach('pm_card_visa', owner, {}, key);
    const [replay, alike] = await Promise.all([
      attach('pm_card_visa', owner, {}, key),
      attach('pm_card_visa', owner, {}, key),
    ]);
    for (const answer of [replay, alike]) {
      expect([answer.status, answer.body.data]).toEqual([201, first.body.data]);
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
    }
    await remove(first.body.data.id, owner.accessToken);
    expect((await attach('pm_card_visa', owner, {}, key)).body.data).toEqual(first.body.data);
    expect(await list(owner)).toEqual([]);
    const reused = await attach('pm_card_mastercard', owner, {}, key);
    expect([reused.status, reused.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('is tried at once with what is past due, if it is the first or the new default', async () => {
    const owner = await test.register();
    const ids = [await plantSubscription(owner, 'past_due')];
    expect(await isTriedNow(ids[0] ?? '')).toBe(false);
    await attach('pm_card_visa', owner);
    expect(await isTriedNow(ids[0] ?? '')).toBe(true);
    ids.push(await plantSubscription(owner, 'past_due'));
    const other = await attached('pm_card_mastercard', owner);
    expect(await isTriedNow(ids[1] ?? '')).toBe(false);
    await attach(other.id, owner, { set_default: true });
    expect(await isTriedNow(ids[1] ?? '')).toBe(true);
    ids.push(await plantSubscription(owner, 'past_due'));
    await attach(other.id, owner, { set_default: true });
    expect(await isTriedNow(ids[2] ?? '')).toBe(false);
    await remove(other.id, owner.accessToken);
    expect(await isTriedNow(ids[2] ?? '')).toBe(true);
    await execute(test.database, 'delete from subscriptions where organization_id = $1', [owner.organizationId]);
  });

  it.each([
    [{}, 'payment_method_id', 'required'],
    [{ payment_method_id: '' }, 'payment_method_id', 'format'],
    [{ payment_method_id: 'pm_card visa' }, 'payment_method_id', 'format'],
    [{ payment_method_id: 'x'.repeat(256) }, 'payment_method_id', 'format'],
    [{ payment_method_id: 7 }, 'payment_method_id', 'type'],
    [{ payment_method_id: 'pm_card_visa', set_default: 'yes' }, 'set_default', 'type'],
    [{ payment_method_id: 'pm_card_visa', number: '4242424242424242' }, 'number', 'unknown'],
  ])('400: %o', async (body, field, reason) => {
    const answer = await test.api.post(PATH, ada.accessToken, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it.each(['pm_card_nothing', NOBODYS, '4242424242424242'])('422: %s is no method that there is', async (id) => {
    const answer = await attach(id);
    expect(answer.status).toBe(422);
    const details = { field: 'payment_method_id', reason: 'unknown' };
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details });
    expect(JSON.stringify(answer.body.error)).not.toContain(id);
  });

  it('422: a card that declines is told with its code, and nothing is kept', async () => {
    const owner = await test.register();
    const answer = await attach('pm_card_chargeDeclinedInsufficientFunds', owner);
    expect(answer.status).toBe(422);
    const details = { decline_code: 'insufficient_funds' };
    expect(answer.body.error).toMatchObject({ code: 'payment_failed', details });
    expect(await list(owner)).toEqual([]);
    expect(await typesOf(owner)).toEqual([]);
  });

  it('422: where no payments are configured', async () => {
    const production = await openAppForTest();
    const owner = await production.register();
    const answer = await production.api.post(PATH, owner.accessToken, { payment_method_id: 'pm_card_visa' });
    expect(answer.status).toBe(422);
    const details = { field: 'payment_method_id', reason: 'payments_not_configured' };
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details });
    expect((await production.api.get(PATH, owner.accessToken)).body.data).toEqual([]);
  });
});

describe('GET /v1/payment-methods', () => {
  it('pages, newest first, and filters', async () => {
    const owner = await test.register();
    const made = [];
    for (const name of ['visa', 'mastercard', 'amex', 'discover', 'jcb']) {
      made.unshift((await attached(`pm_card_${name}`, owner)).id);
    }
    expect(idsOf(await list(owner))).toEqual(made);
    const first = await test.api.get(`${PATH}?limit=2`, owner.accessToken);
    const cursor = encodeURIComponent(first.body.pagination.next_cursor);
    const next = await test.api.get(`${PATH}?limit=3&cursor=${cursor}`, owner.accessToken);
    expect([...idsOf(first.body.data), ...idsOf(next.body.data)]).toEqual(made);
    expect(next.body.pagination).toEqual({ has_more: false, next_cursor: null });
    expect(idsOf(await list(owner, '?type=card&sort=created_at'))).toEqual(made.toReversed());
    expect(idsOf(await list(owner, '?is_default=true'))).toEqual(made.slice(-1));
    expect(idsOf(await list(owner, '?is_default=false'))).toEqual(made.slice(0, -1));
  });

  it.each(['type=bank', 'is_default=1', 'sort=brand', 'brand=visa'])('400: %s', async (query) => {
    expect((await test.api.get(`${PATH}?${query}`, ada.accessToken)).status).toBe(400);
  });
});

describe('DELETE /v1/payment-methods/{payment_method_id}', () => {
  it('204: it is gone, announced as it was, untied at the provider, and does not come back', async () => {
    const owner = await test.register();
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
    const token = (await test.api.post('/v1/sandbox/payment-methods', owner.accessToken, card)).body.data.id;
    const method = await attached(token, owner);
    expect((await remove(method.id, owner.accessToken)).status).toBe(204);
    expect(await list(owner)).toEqual([]);
    expect(await typesOf(owner)).toEqual(['payment_method.attached', 'payment_method.removed']);
    const removed = { action: 'payment_method.removed', target_id: method.id, before: method, after: null };
    expect((await auditOf(owner)).at(-1)).toEqual(removed);
    await test.runJob('billing.detach-removed-methods');
    expect(await detachedAt(token)).not.toBeNull();
    expect((await attach(token, owner)).body.error.details.reason).toBe('unknown');
    expect((await remove(method.id, owner.accessToken)).body.error.details).toEqual({ resource: 'payment_method' });
  });

  it('the newest other takes the place of the default', async () => {
    const owner = await test.register();
    const first = await attached('pm_card_visa', owner);
    const second = await attached('pm_card_mastercard', owner);
    const third = await attached('pm_card_amex', owner);
    await remove(first.id, owner.accessToken);
    expect(await list(owner)).toEqual([{ ...third, is_default: true }, second]);
    const changed = await auditOf(owner);
    expect(changed.map((entry) => entry.action).slice(-2)).toEqual([
      'payment_method.removed',
      'payment_method.default_changed',
    ]);
    expect(changed.at(-1)).toMatchObject({ target_id: third.id, before: first, after: { is_default: true } });
    await remove(second.id, owner.accessToken);
    expect(await list(owner)).toEqual([{ ...third, is_default: true }]);
  });

  it('a name that was removed can be attached at once again, as another card', async () => {
    const owner = await test.register();
    const first = await attached('pm_card_visa', owner);
    await remove(first.id, owner.accessToken);
    const second = await attach('pm_card_visa', owner);
    expect(second.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.id);
    await test.runJob('billing.detach-removed-methods');
    const [row] = await execute<{ provider_ref: string }>(
      test.database,
      'select provider_ref from payment_methods where id = $1',
      [second.body.data.id],
    );
    expect(await detachedAt(row?.provider_ref ?? '')).toBeNull();
  });

  it.each(['incomplete', 'active', 'past_due'] as const)(
    '409: the only one of a subscription that is %s',
    async (status) => {
      const owner = await test.register();
      const method = await attached('pm_card_visa', owner);
      const id = await plantSubscription(owner, status);
      const answer = await remove(method.id, owner.accessToken);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'payment_method_in_use', details: { subscription_ids: [id] } });
      const other = await attached('pm_card_mastercard', owner);
      expect((await remove(method.id, owner.accessToken)).status).toBe(204);
      expect(await list(owner)).toEqual([{ ...other, is_default: true }]);
      await execute(test.database, 'delete from subscriptions where organization_id = $1', [owner.organizationId]);
    },
  );

  it('204: the only one when every subscription has ended', async () => {
    const owner = await test.register();
    const method = await attached('pm_card_visa', owner);
    await plantSubscription(owner, 'canceled');
    expect((await remove(method.id, owner.accessToken)).status).toBe(204);
  });

  it('409: while a payment by it is under way', async () => {
    const owner = await test.register();
    const method = await attached('pm_card_visa', owner);
    await attached('pm_card_mastercard', owner);
    await execute(
      test.database,
      `insert into payments (organization_id, id, subscription_id, purpose, intent, amount, currency, is_on_session,
        payment_method_id, method_ref, customer_ref, provider, status, next_check_at, created_at)
      select $1, $2, $3, 'pay', '{}', 100, 'usd', true, $4, 'ref', 'cus', 'test', 'pending', n.t + interval '1 year', n.t
      from (select clock_timestamp() as t) n`,
      [owner.organizationId, newId('payment'), newId('subscription'), method.id],
    );
    const answer = await remove(method.id, owner.accessToken);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    await execute(test.database, 'delete from payments where organization_id = $1', [owner.organizationId]);
    expect((await remove(method.id, owner.accessToken)).status).toBe(204);
  });

  it('of two that are deleted at once while a subscription is live, one stays', async () => {
    const owner = await test.register();
    const methods = [await attached('pm_card_visa', owner), await attached('pm_card_mastercard', owner)];
    await plantSubscription(owner, 'active');
    const answers = await Promise.all(methods.map((method) => remove(method.id, owner.accessToken)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 409]);
    expect(await list(owner)).toMatchObject([{ is_default: true }]);
    await execute(test.database, 'delete from subscriptions where organization_id = $1', [owner.organizationId]);
  });
});

describe('who may', () => {
  it('401 without a token', async () => {
    expect((await test.api.get(PATH)).status).toBe(401);
    expect((await test.api.post(PATH, undefined, { payment_method_id: 'pm_card_visa' })).status).toBe(401);
    expect((await test.api.call('DELETE', `${PATH}/${NOBODYS}`)).status).toBe(401);
  });

  it('billing may, 403 for a member', async () => {
    const owner = await test.register();
    const inIt = { 'x-organization-id': owner.organizationId };
    const clerk = await joinOrganization(test, owner, 'billing');
    expect((await attach('pm_card_visa', clerk, {}, inIt)).status).toBe(201);
    const member = await joinOrganization(test, owner, 'member');
    const answers = [
      await test.api.get(PATH, member.accessToken, inIt),
      await attach('pm_card_visa', member, {}, inIt),
      await test.api.call('DELETE', `${PATH}/${NOBODYS}`, { token: member.accessToken, headers: inIt }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error]).toMatchObject([403, { code: 'forbidden', details: { required_role: 'billing' } }]);
    }
  });

  it('404 for nobody’s and for another organization’s, which is not seen in lists either', async () => {
    const owner = await test.register();
    const method = await attached('pm_card_visa', owner);
    for (const id of [method.id, NOBODYS, 'pm_card_visa']) {
      const answer = await remove(id);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'payment_method' } });
    }
    expect(idsOf(await list(ada))).not.toContain(method.id);
    expect((await attach(method.id)).body.error.details.reason).toBe('unknown');
    expect(await list(owner)).toEqual([method]);
  });
});

describe('a deleted organization', () => {
  it('has its cards untied at the provider', async () => {
    const owner = await test.register();
    const method = await attached('pm_card_visa', owner);
    const [row] = await execute<{ provider_ref: string }>(
      test.database,
      'select provider_ref from payment_methods where id = $1',
      [method.id],
    );
    const organization = `/v1/orgs/${owner.organizationId}`;
    const { name } = (await test.api.get(organization, owner.accessToken)).body.data;
    const deleted = await test.api.call('DELETE', organization, { token: owner.accessToken, body: { confirm: name } });
    expect(deleted.status).toBe(204);
    await test.runJob('billing.detach-removed-methods');
    expect(await detachedAt(row?.provider_ref ?? '')).not.toBeNull();
  });
});

async function detachedAt(ref: string): Promise<Date | null> {
  const [card] = await execute<{ detached_at: Date | null }>(
    test.database,
    'select detached_at from test_cards where ref = $1',
    [ref],
  );
  return card === undefined ? expect.fail(`there is no card ${ref}`) : card.detached_at;
}
