import { randomBytes } from 'node:crypto';
import type { TestApp } from '../harness/index.ts';
import { plantEndpoint } from '../harness/plant-endpoint.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Moves the clock of an organization with a seat, a license and an endpoint, past everything that is due. */
export async function useSandboxClock(test: TestApp, api: RecordedApi, receiverUrl: string): Promise<void> {
  const { organizationId, accessToken: token } = await test.register('Traveler');
  await plantEndpoint(test, organizationId, receiverUrl);
  const expiresAt = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const license = await test.issueLicense(organizationId, { expiresAt });
  const seat = { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  await test.api.post('/v1/licenses/acquire', token, seat);
  await api.get('/v1/sandbox/clock', token);
  await api.post('/v1/sandbox/clock/advance', token, { seconds: 11 * 86_400 }, { 'idempotency-key': 'a key' });
}
