import { execute, type Member, type TestApp } from '../harness/index.ts';
import { type MovedClock, registerWithTwoFactor } from '../harness/two-factor.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Finds, creates and deletes customers, and helps their users to log in. */
export async function useCustomers(
  test: TestApp,
  api: RecordedApi,
  clock: MovedClock,
  token: string,
  { organizationId }: Member,
): Promise<void> {
  const organizations = '/v1/operator/organizations';
  const input = { name: 'Acme', admin_email: 'grace@acme.example.com', notes: 'New' };
  const details = { billing_details: { legal_name: 'Acme Ltd' } };
  const customer = await api.post(organizations, token, { ...input, ...details });
  const body = { confirm: customer.name };
  await api.call('DELETE', `${organizations}/${customer.id}`, { token, body });
  const [invoice] = (await api.get('/v1/operator/invoices?limit=1', token)).body.data;
  for (const query of [organizationId, 'user7@example.com', 'A1B2C-3D4E5-F6G7H-8J9K4', invoice.number]) {
    await api.get(`${organizations}?query=${query}`, token);
  }
  const user = await registerWithTwoFactor(test, clock);
  await execute(test.database, "update users set locked_until = clock_timestamp() + interval '1 hour' where id = $1", [
    user.userId,
  ]);
  await api.get(`/v1/operator/users/${user.userId}`, token);
  for (const act of ['unlock', 'disable-two-factor']) {
    await api.post(`/v1/operator/users/${user.userId}/${act}`, token);
  }
}
