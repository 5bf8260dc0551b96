import { randomUUID } from 'node:crypto';
import type { CheckGroup } from './check.ts';
import { NAME } from './create-project.ts';
import { expectData, expectError, expectFields, expectThat, expectValue } from './expectations.ts';
import { pick, pickText } from './read-json.ts';

/** Contract section 6: who may do what. */
export const ACCESS_CHECKS: CheckGroup = {
  key: 'access',
  title: '§6 Access',
  checks: [
    {
      name: 'shows the user of the token, at both paths',
      run: async (probe) => {
        const me = await probe.call('GET', '/v1/me');
        expectData(me, 200);
        expectFields(me, 'data', { id: /^usr_/, email: 'string', name: 'string', created_at: 'timestamp' });
        expectFields(me, 'data.organization', { id: /^org_/, name: 'string', role: /^(admin|billing|member)$/ });
        const same = await probe.call('GET', '/v1/auth/me');
        expectValue(same, 'data', pick(me.body, 'data'));
      },
    },
    {
      name: '401 invalid_credentials for an unknown address and a wrong password, which no login has',
      run: async (probe) => {
        const json = { email: `conformance-${randomUUID()}@example.com`, password: randomUUID() };
        expectError(await probe.open('POST', '/v1/auth/login', { json }), 401, 'invalid_credentials');
      },
    },
    {
      name: '403 forbidden for an API token where a login is needed: a token creates no tokens',
      run: async (probe) => {
        probe.requireNoLogin();
        const json = { name: NAME, scopes: ['read:profile'], expires_at: null };
        const answer = await probe.ask('POST', '/v1/api-tokens', { json });
        const id = pickText(answer.body, 'data.id');
        if (id !== '') {
          probe.deleteLater(`/v1/api-tokens/${id}`);
        }
        expectError(answer, 403, 'forbidden');
        expectError(await probe.ask('GET', '/v1/oauth-apps'), 403, 'forbidden');
      },
    },
    {
      name: 'never grants a token the rights of the vendor',
      run: async (probe) => {
        const answer = await probe.ask('GET', '/v1/operator/organizations');
        expectThat(
          answer,
          answer.status === 403 || answer.status === 401,
          `the status is ${answer.status}, expected 403`,
        );
      },
    },
    {
      name: '404 for an organization that the user does not belong to',
      run: async (probe) => {
        const headers = { 'x-organization-id': 'org_00000000000000000000000000' };
        expectError(await probe.ask('GET', '/v1/me', { headers }), 404, 'not_found');
        expectError(await probe.call('GET', '/v1/orgs/org_00000000000000000000000000'), 404, 'not_found');
      },
    },
    {
      name: 'lets no script of another site read a response to a token',
      run: async (probe) => {
        const answer = await probe.ask('GET', '/v1/me', { headers: { origin: 'https://conformance.invalid' } });
        const allowed = answer.headers['access-control-allow-origin'];
        expectThat(answer, allowed === undefined, `Access-Control-Allow-Origin is ${allowed}`);
      },
    },
  ],
};
