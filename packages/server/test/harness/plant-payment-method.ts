import { newId } from '../../src/ids/index.ts';
import { execute, type TestApp } from './index.ts';

/** Writes a card as if it had been attached, for tests of an app without a payment provider. It is not the default. */
export async function plantPaymentMethod(
  { database }: Pick<TestApp, 'database'>,
  organizationId: string,
): Promise<{ id: string }> {
  const id = newId('paymentMethod');
  await execute(
    database,
    `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4, exp_month, exp_year,
      is_default, created_at)
    values ($1, $2, 'test', 'planted_' || $2, 'card', 'visa', '4242', 12, 2040, false, clock_timestamp())`,
    [organizationId, id],
  );
  return { id };
}
