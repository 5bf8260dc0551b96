import type { Member, TestApp } from '../harness/index.ts';
import { ISSUER, PageBrowser } from '../harness/page-browser.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Invites, changes and removes members in a busy organization, and creates and deletes another. */
export async function useOrganizations(test: TestApp, api: RecordedApi, admin: Member): Promise<void> {
  const path = `/v1/orgs/${admin.organizationId}`;
  const call = (method: string, at: string, body?: unknown) => api.call(method, at, { token: admin.accessToken, body });

  const guest = await test.register('Guest');
  const token = await invite(test, api, admin, guest.email);
  await api.post('/v1/invitations/accept', guest.accessToken, { token });
  await call('PATCH', `${path}/members/${guest.userId}`, { role: 'admin' });
  await call('PATCH', `${path}/members/${guest.userId}`, { role: 'member' });
  await call('DELETE', `${path}/members/${guest.userId}`);
  const { id } = (await call('POST', `${path}/invitations`, { email: 'a@example.com', role: 'member' })).body.data;
  await call('DELETE', `${path}/invitations/${id}`);
  await acceptByPage(test, api, admin);
  const other = (await call('POST', '/v1/orgs', { name: 'Another' })).body.data;
  await call('GET', `/v1/orgs/${other.id}`);
  await call('PATCH', `/v1/orgs/${other.id}`, { slug: 'another' });
  await call('DELETE', `/v1/orgs/${other.id}`, { confirm: 'Another' });
}

async function acceptByPage(test: TestApp, api: RecordedApi, admin: Member): Promise<void> {
  const { email, password } = await test.register('Visitor');
  const token = await invite(test, api, admin, email);
  const browser = new PageBrowser(test);
  await api.expect('the page that accepts an invitation', async () => {
    const page = await browser.open(`${ISSUER}/accept-invitation`);
    return browser.submit(page, '/accept-invitation', { token, email, password });
  });
}

async function invite(test: TestApp, api: RecordedApi, admin: Member, email: string): Promise<string> {
  const path = `/v1/orgs/${admin.organizationId}/invitations`;
  await api.call('POST', path, { token: admin.accessToken, body: { email, role: 'member' } });
  return (await test.mailsTo(email)).findLast((mail) => mail.kind === 'invitation')?.code ?? '';
}
