import type { Member } from '../harness/index.ts';
import type { RecordedApi } from './recorded-api.ts';

const LICENSES = '/v1/operator/licenses';

/** Does what staff do across all organizations. */
export async function useOperator(api: RecordedApi, token: string, { organizationId }: Member): Promise<void> {
  const credit = { organization_id: organizationId, amount: 500, currency: 'usd', reason: 'An outage' };
  await api.post('/v1/operator/credits', token, credit);
  for (const name of ['invoices', 'payments']) {
    // A few batches: the last of the seeded rows.
    await api.get(`/v1/operator/exports/${name}?from=${new Date(Date.now() - 172_800_000).toISOString()}`, token);
  }
  const catalogue = (await api.get('/v1/operator/catalog', token)).body.data;
  await api.call('PUT', '/v1/operator/catalog', { token, body: catalogue });
  await api.get('/v1/operator/overview', token);
  await api.get('/v1/operator/products/seathold-demo', token);
  const product = { name: 'Planned', features: { projects: { type: 'number' } } };
  await api.call('PUT', '/v1/operator/products/planned', { token, body: product });
  await api.get('/v1/operator/audit-log?actor=user7@example.com', token);
  const terms = {
    product: 'seathold-demo',
    max_seats: 3,
    expires_at: null,
    external_id: 'crm-1',
    key_aliases: ['C7K2-1F9A'],
  };
  const { id } = await api.post(LICENSES, token, { organization_id: organizationId, ...terms });
  await api.call('PATCH', `${LICENSES}/${id}`, {
    token,
    body: {
      max_seats: 4,
      external_id: 'crm-2',
      key_aliases: ['C7K2-1F9A', 'C7K2-1F9B'],
      policy: { node_locked: false },
    },
  });
  await api.get(`${LICENSES}/${id}`, token);
  await api.get(`${LICENSES}?key=C7K2-1F9B`, token);
  for (const act of ['suspend', 'reinstate', 'revoke']) {
    await api.post(`${LICENSES}/${id}/${act}`, token, { reason: 'It was not paid.' });
  }
}

/** Adds, changes and removes staff, creates and revokes a token, and suspends and reinstates a customer. */
export async function useStaff(api: RecordedApi, token: string, { organizationId }: Member): Promise<void> {
  const added = await api.post('/v1/operator/staff', token, { email: 'new.colleague@example.com', role: 'support' });
  await api.call('PATCH', `/v1/operator/staff/${added.user_id}`, { token, body: { role: 'finance' } });
  await api.call('DELETE', `/v1/operator/staff/${added.user_id}`, { token });
  const created = await api.post('/v1/operator/tokens', token, { name: 'another', role: 'viewer' });
  await api.call('DELETE', `/v1/operator/tokens/${created.id}`, { token });
  const path = `/v1/operator/organizations/${organizationId}`;
  await api.get(path, token);
  for (const body of [{ status: 'suspended', reason: 'Shares its keys' }, { status: 'active' }]) {
    await api.call('PATCH', path, { token, body });
  }
}
