import { randomBytes } from 'node:crypto';
import { changeLicense } from '../../src/licensing/index.ts';
import { createSilentLicenseTools } from '../harness/create-silent-license-tools.ts';
import type { Member, TestApp } from '../harness/index.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Acquires, keeps and releases seats. */
export async function useSeats(
  test: TestApp,
  api: RecordedApi,
  { organizationId, accessToken }: Member,
): Promise<void> {
  const license = await test.issueLicense(organizationId);
  const seat = (headers = {}) => {
    const hardware = `hw_${randomBytes(16).toString('hex')}`;
    const body = { license_key: license.key, hardware_id: hardware, metadata: { host: 'a' } };
    return api.post('/v1/licenses/acquire', accessToken, body, headers);
  };
  const { session_id } = await seat();
  await api.post('/v1/licenses/heartbeat', accessToken, { session_id });
  await api.post('/v1/licenses/release', accessToken, { session_id });
  await api.post('/v1/licenses/release', accessToken, { session_id });
  await seat({ 'idempotency-key': 'a key' });
  await useOfflineSeat(test, api, organizationId, accessToken);
  await useActivation(test, api, organizationId, accessToken);
  await useLine(test, api, organizationId, accessToken);
}

/** Two machines wait for the only seat: one gets it, the other leaves. */
async function useLine(test: TestApp, api: RecordedApi, organizationId: string, token: string): Promise<void> {
  const license = await test.issueLicense(organizationId, { maxSeats: 1 });
  const acquire = (more: object) => {
    const hardware = `hw_${randomBytes(16).toString('hex')}`;
    return api.post('/v1/licenses/acquire', token, { license_key: license.key, hardware_id: hardware, ...more });
  };
  const { session_id } = await acquire({});
  const first = await acquire({ wait_seconds: 60 });
  const second = await acquire({ wait_seconds: 60 });
  const asking = api.get(`/v1/licenses/waits/${first.wait_id}?timeout=25`, token);
  await api.get(`/v1/licenses/waits/${second.wait_id}`, token);
  await api.post('/v1/licenses/release', token, { session_id });
  await asking;
  await api.call('DELETE', `/v1/licenses/waits/${second.wait_id}`, { token });
}

/** Activates a machine with a key, which then uses a seat, until an admin revokes it. */
async function useActivation(test: TestApp, api: RecordedApi, organizationId: string, token: string): Promise<void> {
  const { id, key } = await test.issueLicense(organizationId, { policy: { activation: 'key' } });
  const machine = { license_key: key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  await api.post('/v1/licenses/activate', token, machine);
  const activated = await api.post('/v1/licenses/activate', token, machine);
  await api.post('/v1/licenses/acquire', activated.activation_token, machine);
  const path = `/v1/licenses/${id}/activations`;
  await api.get(path, token);
  await api.call('DELETE', `${path}/${activated.activation_id}`, { token });
}

/** Takes a seat offline. Its license is suspended and reinstated. */
async function useOfflineSeat(test: TestApp, api: RecordedApi, organizationId: string, token: string): Promise<void> {
  const { id, key } = await test.issueLicense(organizationId, { policy: { max_offline_seconds: 3_600 } });
  const hardware = `hw_${randomBytes(16).toString('hex')}`;
  await api.post('/v1/licenses/acquire', token, { license_key: key, hardware_id: hardware, offline_seconds: 60 });
  const tools = createSilentLicenseTools(test.database);
  await api.during('a suspended license', () => changeLicense(tools, id, { kind: 'suspend' }));
  await api.during('a reinstated license', () => changeLicense(tools, id, { kind: 'reinstate' }));
}

/** Is refused a seat, and asks how many seats a busy license would need. */
export async function useRefusals(
  test: TestApp,
  api: RecordedApi,
  { organizationId, accessToken, userId, email }: Member,
  operatorToken: string,
  busiestLicense: string,
): Promise<void> {
  const license = await test.issueLicense(organizationId, { maxSeats: 1 });
  const acquire = () => {
    const body = { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
    return test.api.post('/v1/licenses/acquire', accessToken, body);
  };
  await acquire();
  const refused = await api.during('a refused acquire', acquire);
  await api.during('the record of a request', () => test.runJob('http.write-request-records'));
  await api.get(`/v1/operator/requests/${refused.headers.get('x-request-id')}`, operatorToken);
  for (const query of [
    `user_id=${userId}&license_id=${busiestLicense}`,
    `email=${encodeURIComponent(email)}&license_key=${license.key}`,
  ]) {
    await api.get(`/v1/operator/explain?${query}`, operatorToken);
  }
  for (const interval of ['hour', 'day']) {
    await api.get(`/v1/licenses/${busiestLicense}/demand?interval=${interval}`, accessToken);
  }
}

/** Creates, uses and removes a project, and asks what a busy one uses. */
export async function useProjects(
  test: TestApp,
  api: RecordedApi,
  { organizationId, accessToken: token }: Member,
  busyProject: string,
): Promise<void> {
  await api.get(`/v1/projects/${busyProject}/usage`, token);
  const { id } = await api.post('/v1/projects', token, { name: 'A project' });
  await api.get(`/v1/projects/${id}`, token);
  await api.call('PATCH', `/v1/projects/${id}`, { token, body: { slug: 'another-slug' } });
  const license = await test.issueLicense(organizationId);
  const seat = { license_key: license.key, hardware_id: `hw_${'f'.repeat(32)}`, metadata: { project_id: id } };
  const { session_id } = await api.post('/v1/licenses/acquire', token, seat);
  await api.post('/v1/licenses/release', token, { session_id });
  await api.call('DELETE', `/v1/projects/${id}`, { token });
}
