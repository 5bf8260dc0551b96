import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import type { Shop } from '../../../test/harness/shop.ts';

const it = createTest({ environment: 'sandbox' });

/** An organization with an open renewal invoice and this default card. */
async function owing(shop: Shop, card: string): Promise<{ ada: Member; id: string; invoiceId: string }> {
  const ada = await shop.app.register();
  const id = await shop.buy(ada);
  await shop.attach(ada, card);
  await shop.travel(ada, 31.5);
  const invoice = (await shop.invoices(ada)).at(-1);
  expect(invoice.status).toBe('open');
  return { ada, id, invoiceId: invoice.id };
}

describe('paying an open invoice', () => {
  it('asks the customer to authenticate if the bank requires it, and ends dunning', async ({ shop }) => {
    const { ada, id, invoiceId } = await owing(shop, 'pm_card_authenticationRequired');
    const { body } = await shop.pay(ada, invoiceId);
    expect(body.data).toEqual({ id, status: 'past_due', client_secret: expect.any(String), requires_action: true });
    await shop.confirm(ada, body.data.client_secret, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active', requires_action: false });
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'paid' });
  });

  it('leaves the invoice open and dunning unchanged if the card is declined', async ({ shop }) => {
    const { ada, id, invoiceId } = await owing(shop, 'pm_card_chargeCustomerFail');
    const refused = await shop.pay(ada, invoiceId);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'payment_failed']);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'open' });
  });

  it('replaces the payment that waits for the customer when it is repeated', async ({ shop }) => {
    const { ada, id, invoiceId } = await owing(shop, 'pm_card_authenticationRequired');
    const first = (await shop.pay(ada, invoiceId)).body.data.client_secret;
    const second = (await shop.pay(ada, invoiceId)).body.data.client_secret;
    expect((await shop.confirm(ada, first, 'succeed')).status).toBe(409);
    await shop.confirm(ada, second, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ collected: 29_000 });
  });

  it('returns the secret again if the response was lost and the request is repeated', async ({ shop }) => {
    const { ada, id, invoiceId } = await owing(shop, 'pm_card_authenticationRequired');
    const key = { 'idempotency-key': 'pay-1' };
    const first = (await shop.pay(ada, invoiceId, key)).body.data;
    await shop.loseAnswers(ada);
    const { status, body } = await shop.pay(ada, invoiceId, key);
    expect([status, body.data]).toEqual([200, first]);
    await shop.confirm(ada, first.client_secret, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ collected: 29_000 });
  });

  it('happens once for many simultaneous requests', async ({ app, shop }) => {
    const { ada, invoiceId } = await owing(shop, 'pm_card_radarBlock');
    await shop.attach(ada, 'pm_card_visa');
    const answers = await Promise.all([1, 2, 3, 4].map(() => shop.pay(ada, invoiceId)));
    await app.runJobs();
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await shop.kept(ada)).toMatchObject({ collected: 29_000 });
  });

  it('is refused if the invoice is paid, or bills a change that waits for the customer', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    const [paid] = await shop.invoices(ada);
    expect((await shop.pay(ada, paid.id)).body.error.code).toBe('conflict');
    await shop.attach(ada, 'pm_card_authenticationRequired');
    await shop.change(ada, id, { quantity: 9 });
    const open = (await shop.invoices(ada)).at(-1);
    expect((await shop.pay(ada, open.id)).body.error.code).toBe('conflict');
  });

  it('is for the admins and billing members of its organization only', async ({ app, shop }) => {
    const { ada, invoiceId } = await owing(shop, 'pm_card_chargeCustomerFail');
    const eve = await app.register('Eve');
    expect((await app.api.post(`/v1/invoices/${invoiceId}/pay`, undefined, {})).status).toBe(401);
    expect((await shop.pay(eve, invoiceId)).status).toBe(404);
    expect((await shop.pay(ada, 'inv_01kagt2m8xf3q9wz5r7e6b4c1q')).status).toBe(404);
    const member = await joinOrganization(app, ada);
    const acting = { 'x-organization-id': ada.organizationId };
    expect((await shop.pay(member, invoiceId, acting)).status).toBe(403);
  });
});
