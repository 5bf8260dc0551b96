import { createHash } from 'node:crypto';
import { expect, expectTypeOf } from 'vitest';
import { createTest } from '../../server/test/harness/fixtures.ts';
import type { TestApp } from '../../server/test/harness/index.ts';
import { NotFoundError, Seathold, SeatholdError, UnexpectedAnswerError, ValidationError } from '../src/index.ts';
import { BASE_URL, fetchAt, startFlakyServer } from './flaky-server.ts';

const it = createTest({ environment: 'sandbox' });

async function createBuyer(app: TestApp) {
  const { accessToken: token } = await app.register();
  const seathold = new Seathold({ token, baseUrl: BASE_URL, fetch: fetchAt(app.api.baseUrl) });
  const { data: plans } = await seathold.plans.list();
  const order = { plan_id: plans.find(({ name }) => name === 'Pro')?.id ?? '', quantity: 2 };
  return { seathold, order };
}

it('the client buys, previews, changes and cancels seats', async ({ app }) => {
  const { seathold, order } = await createBuyer(app);
  const card = await seathold.paymentMethods.attach({ payment_method_id: 'pm_card_visa' });
  const created = await seathold.subscriptions.create({ ...order, payment_method_id: card.id });
  expect(created).toMatchObject({ status: 'active', requires_action: false });
  const preview = await seathold.subscriptions.preview(created.id, { quantity: 3 });
  expectTypeOf(preview.amount_due).toBeNumber();
  const changed = await seathold.subscriptions.update(created.id, { quantity: 3 });
  expect([changed.quantity, changed.pending_change]).toEqual([3, null]);
  expect((await seathold.usage.get()).seats).toEqual({ included: 3, used: 0, peak: 0 });
  expect((await seathold.subscriptions.cancel(created.id)).cancel_at_period_end).toBe(true);
  expect((await seathold.subscriptions.resume(created.id)).cancel_at_period_end).toBe(false);
  const moved = await seathold.sandbox.advanceClock({ seconds: 32 * 86_400 });
  expect(moved.happened.map(({ type }) => type)).toContain('invoice.paid');
});

it("the client reads the bytes and the ETag of an invoice's PDF", async ({ app }) => {
  const { seathold, order } = await createBuyer(app);
  await seathold.subscriptions.create({ ...order, payment_method_id: 'pm_card_visa' });
  const { data: invoices } = await seathold.invoices.list({ status: 'paid' });
  const { data: bytes, headers, status } = await seathold.invoices.getPdf(invoices[0]?.id ?? '').withResponse();
  expectTypeOf(bytes).toEqualTypeOf<ArrayBuffer>();
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(Buffer.from(bytes).subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(headers.get('etag')).toContain(createHash('sha256').update(Buffer.from(bytes)).digest('hex'));
});

it('the client rejects with an ordinary error when there is no PDF', async ({ app }) => {
  const { seathold } = await createBuyer(app);
  await expect(seathold.invoices.getPdf('inv_01kagt2m8xf3q9wz5r7e6b4c1s')).rejects.toBeInstanceOf(NotFoundError);
});

it('the client does not mistake another kind of page for a PDF', async () => {
  const { seathold, received } = await startFlakyServer([
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>'),
  ]);
  await expect(seathold.invoices.getPdf('inv_1')).rejects.toBeInstanceOf(UnexpectedAnswerError);
  expect(received[0]?.headers.accept).toBe('*/*');
});

it('the client rejects with the reason when a card is declined, and buys nothing', async ({ app }) => {
  const { seathold, order } = await createBuyer(app);
  const bought = seathold.subscriptions.create({ ...order, payment_method_id: 'pm_card_chargeDeclined' });
  const error = await bought.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  if (error instanceof SeatholdError && error.has('payment_failed')) {
    expectTypeOf(error.details.decline_code).toBeString();
    expect(error.details.decline_code).toBe('generic_decline');
  } else {
    throw new Error(`expected payment_failed, not ${String(error)}`);
  }
  expect((await seathold.subscriptions.list()).data).toEqual([]);
});

it('the client retries with the same key when a response is lost, and buys nothing twice', async ({ app }) => {
  const { order } = await createBuyer(app);
  const { accessToken: token } = await app.register();
  const send = fetchAt(app.api.baseUrl);
  let attempts = 0;
  const seathold = new Seathold({
    token,
    baseUrl: BASE_URL,
    fetch: async (url, request) => {
      const answer = await send(url, request);
      attempts += 1;
      if (attempts === 1) {
        throw new TypeError('the connection broke');
      }
      return answer;
    },
  });
  const { data, isReplayed } = await seathold.subscriptions
    .create({ ...order, payment_method_id: 'pm_card_visa' })
    .withResponse();
  expect([attempts, isReplayed]).toEqual([2, true]);
  expect((await seathold.subscriptions.list()).data.map(({ id }) => id)).toEqual([data.id]);
  expect((await seathold.invoices.list()).data).toHaveLength(1);
});
