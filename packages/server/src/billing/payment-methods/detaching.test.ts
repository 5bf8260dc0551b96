import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { createOutbox } from '../../events/index.ts';
import { Nudge } from '../../jobs/index.ts';
import { createLogger } from '../../log/index.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { createTestProvider } from '../payment-provider/test/create-test-provider.ts';
import { detachRemovedMethodsJob } from './detach-removed-methods.ts';
import { onMethodDetached } from './on-method-detached.ts';

const it = createTest({ environment: 'sandbox' }).extend('provider', { scope: 'file' }, ({ app }) =>
  createTestProvider(app),
);

const log = createLogger('error', { write: () => undefined });
const PATH = '/v1/payment-methods';

async function attach(app: TestApp, owner: Member, name: string): Promise<{ id: string; ref: string }> {
  const { id } = (await app.api.post(PATH, owner.accessToken, { payment_method_id: name })).body.data;
  const [row] = await execute<{ ref: string }>(
    app.database,
    'select provider_ref as ref from payment_methods where id = $1',
    [id],
  );
  return { id, ref: row?.ref ?? '' };
}

it('a card detached at the provider is removed, and the newest other one becomes the default', async ({
  app,
  provider,
}) => {
  const owner = await app.register();
  const first = await attach(app, owner, 'pm_card_visa');
  const second = await attach(app, owner, 'pm_card_mastercard');
  const tools = { database: app.database, outbox: createOutbox([]), provider, due: new Nudge() };
  await Promise.all([onMethodDetached(tools, first.ref), onMethodDetached(tools, first.ref)]);
  await onMethodDetached(tools, 'pm_test_nothing');
  const { data } = (await app.api.get(PATH, owner.accessToken)).body;
  expect(data).toMatchObject([{ id: second.id, is_default: true }]);
  const removed = await execute(
    app.database,
    `select id from events where organization_id = $1 and type = 'payment_method.removed'`,
    [owner.organizationId],
  );
  expect(removed).toHaveLength(1);
  await onMethodDetached(tools, second.ref);
  expect((await app.api.get(PATH, owner.accessToken)).body.data).toEqual([]);
});

it('detaching a card is retried until the provider confirms it', async ({ app, provider }) => {
  const owner = await app.register();
  const { id } = await attach(app, owner, 'pm_card_visa');
  const asked: string[] = [];
  const silent: PaymentProvider = {
    ...provider,
    detachMethod: async ({ methodRef }) => {
      asked.push(methodRef);
      return { kind: 'unknown', reason: 'silence' };
    },
  };
  const runWith = (by: PaymentProvider) =>
    detachRemovedMethodsJob({ database: app.database, provider: by, log }, new Nudge()).run();
  await app.api.call('DELETE', `${PATH}/${id}`, { token: owner.accessToken });
  await runWith(silent);
  await runWith(silent);
  expect(asked).toHaveLength(1);
  // In the past, because the column is rounded up to milliseconds.
  const makeDue = () =>
    execute(
      app.database,
      `update payment_methods set detach_due_at = clock_timestamp() - interval '1 second' where id = $1`,
      [id],
    );
  await makeDue();
  await Promise.all([runWith(silent), runWith(silent)]);
  expect(asked).toHaveLength(2);
  await makeDue();
  await runWith(provider);
  const [row] = await execute(app.database, 'select detach_due_at, detach_tries from payment_methods where id = $1', [
    id,
  ]);
  expect(row).toEqual({ detach_due_at: null, detach_tries: 3 });
});
