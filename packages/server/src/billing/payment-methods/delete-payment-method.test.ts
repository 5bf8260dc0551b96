import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { newId } from '../../ids/index.ts';

const it = createTest({ environment: 'sandbox' });

describe('DELETE /v1/payment-methods/{payment_method_id}', () => {
  it('204: deletes the card, announces its last state, detaches it at the provider, and does not restore it', async ({
    app,
    wallets,
  }) => {
    const owner = await app.register();
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
    const token = (await app.api.post('/v1/sandbox/payment-methods', owner.accessToken, card)).body.data.id;
    const method = await wallets.attached(owner, token);
    expect((await wallets.remove(owner, method.id)).status).toBe(204);
    expect(await wallets.list(owner)).toEqual([]);
    expect(await wallets.typesOf(owner)).toEqual(['payment_method.attached', 'payment_method.removed']);
    const removed = { action: 'payment_method.removed', target_id: method.id, before: method, after: null };
    expect((await wallets.auditOf(owner)).at(-1)).toEqual(removed);
    await app.runJob('billing.detach-removed-methods');
    expect(await wallets.detachedAt(token)).not.toBeNull();
    expect((await wallets.attach(owner, token)).body.error.details.reason).toBe('unknown');
    expect((await wallets.remove(owner, method.id)).body.error.details).toEqual({ resource: 'payment_method' });
  });

  it('makes the newest other card the default', async ({ app, wallets }) => {
    const owner = await app.register();
    const first = await wallets.attached(owner, 'pm_card_visa');
    const second = await wallets.attached(owner, 'pm_card_mastercard');
    const third = await wallets.attached(owner, 'pm_card_amex');
    await wallets.remove(owner, first.id);
    expect(await wallets.list(owner)).toEqual([{ ...third, is_default: true }, second]);
    const changed = await wallets.auditOf(owner);
    expect(changed.map((entry) => entry.action).slice(-2)).toEqual([
      'payment_method.removed',
      'payment_method.default_changed',
    ]);
    expect(changed.at(-1)).toMatchObject({ target_id: third.id, before: first, after: { is_default: true } });
    await wallets.remove(owner, second.id);
    expect(await wallets.list(owner)).toEqual([{ ...third, is_default: true }]);
  });

  it('allows a removed test card to be attached again immediately, as a new card', async ({ app, wallets }) => {
    const owner = await app.register();
    const first = await wallets.attached(owner, 'pm_card_visa');
    await wallets.remove(owner, first.id);
    const second = await wallets.attach(owner, 'pm_card_visa');
    expect(second.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.id);
    await app.runJob('billing.detach-removed-methods');
    const ref = await wallets.refOf(second.body.data.id);
    expect(await wallets.detachedAt(ref)).toBeNull();
  });

  it.for(['incomplete', 'active', 'past_due'] as const)(
    '409: the only card of a subscription that is %s',
    async (status, { app, wallets }) => {
      const owner = await app.register();
      const method = await wallets.attached(owner, 'pm_card_visa');
      const id = await wallets.plantSubscription(owner, status);
      const answer = await wallets.remove(owner, method.id);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'payment_method_in_use', details: { subscription_ids: [id] } });
      const other = await wallets.attached(owner, 'pm_card_mastercard');
      expect((await wallets.remove(owner, method.id)).status).toBe(204);
      expect(await wallets.list(owner)).toEqual([{ ...other, is_default: true }]);
      await wallets.removeSubscriptions(owner);
    },
  );

  it('204: the only card once every subscription has ended', async ({ app, wallets }) => {
    const owner = await app.register();
    const method = await wallets.attached(owner, 'pm_card_visa');
    await wallets.plantSubscription(owner, 'canceled');
    expect((await wallets.remove(owner, method.id)).status).toBe(204);
  });

  it('409: while a payment with the card is in progress', async ({ app, wallets }) => {
    const owner = await app.register();
    const method = await wallets.attached(owner, 'pm_card_visa');
    await wallets.attached(owner, 'pm_card_mastercard');
    await execute(
      app.database,
      `insert into payments (organization_id, id, subscription_id, purpose, intent, amount, currency, is_on_session,
        payment_method_id, method_ref, customer_ref, provider, status, next_check_at, created_at)
      select $1, $2, $3, 'pay', '{}', 100, 'usd', true, $4, 'ref', 'cus', 'test', 'pending', n.t + interval '1 year', n.t
      from (select clock_timestamp() as t) n`,
      [owner.organizationId, newId('payment'), newId('subscription'), method.id],
    );
    const answer = await wallets.remove(owner, method.id);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    await execute(app.database, 'delete from payments where organization_id = $1', [owner.organizationId]);
    expect((await wallets.remove(owner, method.id)).status).toBe(204);
  });

  it('keeps one of two cards that are deleted simultaneously while a subscription is live', async ({
    app,
    wallets,
  }) => {
    const owner = await app.register();
    const methods = [
      await wallets.attached(owner, 'pm_card_visa'),
      await wallets.attached(owner, 'pm_card_mastercard'),
    ];
    await wallets.plantSubscription(owner, 'active');
    const answers = await Promise.all(methods.map((method) => wallets.remove(owner, method.id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 409]);
    expect(await wallets.list(owner)).toMatchObject([{ is_default: true }]);
    await wallets.removeSubscriptions(owner);
  });
});

describe('a deleted organization', () => {
  it('has its cards detached at the provider', async ({ app, wallets }) => {
    const owner = await app.register();
    const method = await wallets.attached(owner, 'pm_card_visa');
    const ref = await wallets.refOf(method.id);
    const organization = `/v1/orgs/${owner.organizationId}`;
    const { name } = (await app.api.get(organization, owner.accessToken)).body.data;
    const deleted = await app.api.call('DELETE', organization, { token: owner.accessToken, body: { confirm: name } });
    expect(deleted.status).toBe(204);
    await app.runJob('billing.detach-removed-methods');
    expect(await wallets.detachedAt(ref)).not.toBeNull();
  });
});
