import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';

/** Customers deleted at the provider. */
const gone = new Set<string>();

const it = createTest({
  environment: 'sandbox',
  aroundProvider: (provider) => ({
    ...provider,
    createCustomer: async (customer) =>
      customer.insteadOf === undefined
        ? provider.createCustomer(customer)
        : { kind: 'ready', customerRef: `${customer.insteadOf}_2` },
    attachMethod: async (method) =>
      gone.has(method.customerRef) ? { kind: 'customer_gone' } : provider.attachMethod(method),
  }),
});

const attach = (app: TestApp, owner: Member, name: string) =>
  app.api.post('/v1/payment-methods', owner.accessToken, { payment_method_id: name, set_default: true });

async function customerOf(app: TestApp, { organizationId }: Member): Promise<string> {
  const rows = await execute<{ ref: string }>(
    app.database,
    'select customer_ref as ref from billing_accounts where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.ref ?? '';
}

it('a customer deleted at the provider is created again with the next card', async ({ app }) => {
  const owner = await app.register();
  await attach(app, owner, 'pm_card_visa');
  const before = await customerOf(app, owner);
  gone.add(before);
  const answers = await Promise.all([attach(app, owner, 'pm_card_mastercard'), attach(app, owner, 'pm_card_amex')]);
  expect(answers.map((answer) => answer.status)).toEqual([201, 201]);
  expect(await customerOf(app, owner)).toBe(`${before}_2`);
});

it('a request fails and no card is kept if the provider does not know the customers that it created', async ({
  app,
}) => {
  const owner = await app.register();
  await attach(app, owner, 'pm_card_visa');
  const before = await customerOf(app, owner);
  gone.add(before).add(`${before}_2`);
  const refused = await attach(app, owner, 'pm_card_amex');
  expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
});
