import { DEVICE_GRANT } from '../../src/oauth/device-grant.ts';
import type { Member, TestApp } from '../harness/index.ts';
import {
  authorizeUrl,
  credentialsOf,
  logInAt,
  type OauthApp,
  obtainCode,
  postForm,
  redeem,
  refresh,
} from '../harness/oauth-world.ts';
import { PageBrowser } from '../harness/page-browser.ts';
import type { RecordedApi } from './recorded-api.ts';

const CALLBACK = 'https://console.example/callback';

/** Registers apps, authorizes them through the pages, uses their tokens in every way, and revokes everything. */
export async function useOauth(test: TestApp, api: RecordedApi, member: Member): Promise<void> {
  const token = member.accessToken;
  const app = await makeApp(api, token, true);
  const path = `/v1/oauth-apps/${app.clientId}`;
  await api.get(path, token);
  await api.call('PATCH', path, { token, body: { name: 'Another console' } });
  const rotated = await api.post(`${path}/rotate-secret`, token);
  await useTokensOf({ ...app, clientSecret: rotated.client_secret });
  await useTokensOf(await makeApp(api, token, false));
  await useDevicesOf(test, api, member);

  const grants = await api.get('/v1/auth/grants', token);
  await api.call('DELETE', `/v1/auth/grants/${grants.body.data[0].id}`, { token });
  const logins = await api.get('/v1/auth/sessions?limit=100', token);
  const browserLogin = logins.body.data.find((each: { kind: string }) => each.kind === 'browser');
  await api.call('DELETE', `/v1/auth/sessions/${browserLogin.id}`, { token });
  await api.call('DELETE', path, { token });

  async function useTokensOf(client: OauthApp): Promise<void> {
    const browser = new PageBrowser(test);
    const code = await api.during('a login and a consent', () => obtainCode(test, client, member, {}, browser));
    const { body } = await api.expect('POST /oauth/token with a code', () => redeem(test, client, code));
    await api.get('/v1/me', body.access_token);
    const origin = new URL(CALLBACK).origin;
    await api.call('GET', '/v1/me', { token: body.access_token, headers: { origin } });
    await api.during('a preflight from a site without an app', () =>
      fetch(`${test.api.baseUrl}/v1/me`, {
        method: 'OPTIONS',
        headers: { origin: 'https://nowhere.example', 'access-control-request-method': 'GET' },
      }),
    );
    await api.during('GET /oauth/authorize with a login', () => browser.open(authorizeUrl(client)));
    const form = { token: body.access_token, ...credentialsOf(client) };
    if (client.clientSecret !== undefined) {
      await api.expect('POST /oauth/introspect', () => postForm(test, 'introspect', form));
    }
    const next = await api.expect('POST /oauth/token with a refresh token', () =>
      refresh(test, client, body.refresh_token),
    );
    await api.expect('POST /oauth/revoke of an access token', () => postForm(test, 'revoke', form));
    const revoked = { ...form, token: next.body.refresh_token };
    await api.expect('POST /oauth/revoke of a refresh token', () => postForm(test, 'revoke', revoked));
    await api.during('a refused consent', async () => {
      const stranger = new PageBrowser(test);
      await stranger.submit(await logInAt(stranger, client, member, { scope: 'read:profile read:org' }), '/deny');
    });
    const replayed = await obtainCode(test, client, member, {}, browser);
    await redeem(test, client, replayed);
    await api.during('a code used twice', () => redeem(test, client, replayed));
  }
}

/** Connects a device, and denies access to another. */
async function useDevicesOf(test: TestApp, api: RecordedApi, member: Member): Promise<void> {
  const input = { name: 'Node', redirect_uris: [], scopes: ['read:profile'], confidential: false, device_flow: true };
  const { client_id: clientId } = await api.post('/v1/oauth-apps', member.accessToken, input);
  for (const decision of ['/allow', '/deny']) {
    const { body } = await api.expect('POST /oauth/device_authorization', () =>
      postForm(test, 'device_authorization', { client_id: clientId }),
    );
    test.api.secrets.noteBody(body);
    const form = { client_id: clientId, grant_type: DEVICE_GRANT, device_code: body.device_code };
    await api.during('a waiting device', () => postForm(test, 'token', form));
    await api.during(`a device, ${decision}`, async () => {
      const browser = new PageBrowser(test);
      const page = await browser.open(body.verification_uri);
      const login = await browser.submit(page, '/device', { user_code: body.user_code });
      const { email, password } = member;
      await browser.submit(await browser.submit(login, '/login', { email, password }), decision);
    });
    await api.during(`a device after ${decision}`, () => postForm(test, 'token', form));
    await api.during('a device code used twice', () => postForm(test, 'token', form));
  }
}

async function makeApp(api: RecordedApi, token: string, confidential: boolean): Promise<OauthApp> {
  const input = { name: 'Console', redirect_uris: [CALLBACK], scopes: ['read:profile', 'read:org'], confidential };
  const { client_id, client_secret } = await api.post('/v1/oauth-apps', token, input);
  return { clientId: client_id, clientSecret: client_secret ?? undefined, redirectUri: CALLBACK };
}
