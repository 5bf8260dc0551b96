import type { Answer } from './answer.ts';
import type { CheckGroup } from './check.ts';
import { expectFields, expectStatus, expectThat, expectValue, LeftOut } from './expectations.ts';
import type { Probe } from './probe.ts';
import { pick, pickText } from './read-json.ts';

const METADATA = '/.well-known/oauth-authorization-server';
const FORM = 'application/x-www-form-urlencoded';

/** Contract section 6, OAuth: the parts that can be checked without an app. */
export const OAUTH: CheckGroup = {
  key: 'oauth',
  title: '§6 OAuth',
  checks: [
    {
      name: 'publishes its metadata (RFC 8414)',
      run: async (probe) => {
        const answer = await readMetadata(probe);
        expectFields(answer, '', {
          issuer: /^https:/,
          authorization_endpoint: /^https:/,
          token_endpoint: /^https:/,
          revocation_endpoint: /^https:/,
          introspection_endpoint: /^https:/,
          device_authorization_endpoint: /^https:/,
          scopes_supported: 'array',
        });
        expectValue(answer, 'response_types_supported', ['code']);
        expectValue(answer, 'code_challenge_methods_supported', ['S256']);
        expectValue(answer, 'authorization_response_iss_parameter_supported', true);
      },
    },
    {
      name: 'publishes the same document below the path of the issuer',
      run: async (probe) => {
        const first = await readMetadata(probe);
        const { pathname } = new URL(pickText(first.body, 'issuer'));
        const second = await probe.open('GET', METADATA + (pathname === '/' ? '' : pathname));
        expectStatus(second, 200);
        expectThat(second, second.text === first.text, `the document differs from ${METADATA}`);
      },
    },
    {
      name: '401 invalid_client for an unknown app, in the form of RFC 6749',
      run: async (probe) => {
        for (const endpoint of ['token', 'revocation', 'introspection', 'device_authorization']) {
          const path = await pathOf(probe, `${endpoint}_endpoint`);
          const raw = 'grant_type=refresh_token&refresh_token=x&token=x&client_id=app_00000000000000000000000000';
          const answer = await probe.open('POST', path, { raw, headers: { 'content-type': FORM } });
          expectStatus(answer, 401);
          expectValue(answer, 'error', 'invalid_client');
          expectFields(answer, '', { error_description: 'string' });
          expectThat(answer, pick(answer.body, 'meta') === undefined, 'the body has the envelope of the API');
        }
      },
    },
    {
      name: '415 for a body that is not a form',
      run: async (probe) => {
        const path = await pathOf(probe, 'token_endpoint');
        expectStatus(await probe.open('POST', path, { json: { grant_type: 'refresh_token' } }), 415);
      },
    },
    {
      name: 'redirects nowhere for an unknown app, and allows no scripts on its pages',
      run: async (probe) => {
        const path = await pathOf(probe, 'authorization_endpoint');
        const query = new URLSearchParams({
          client_id: 'app_00000000000000000000000000',
          redirect_uri: 'https://conformance.invalid/',
          response_type: 'code',
        });
        const answer = await probe.open('GET', `${path}?${query}`, { headers: { accept: 'text/html' } });
        expectStatus(answer, 400);
        expectThat(answer, answer.headers.location === undefined, `it redirects to ${answer.headers.location}`);
        const policy = answer.headers['content-security-policy'] ?? 'missing';
        const isStrict = policy.includes("default-src 'none'") && policy.includes("frame-ancestors 'none'");
        expectThat(answer, isStrict && !policy.includes('unsafe'), `Content-Security-Policy is ${policy}`);
      },
    },
  ],
};

async function readMetadata(probe: Probe): Promise<Answer> {
  const answer = await probe.open('GET', METADATA);
  expectStatus(answer, 200);
  expectFields(answer, '', { issuer: /^https:/ });
  return answer;
}

/** The path of an endpoint; the issuer may be at another host, which is another deployment to check. */
async function pathOf(probe: Probe, endpoint: string): Promise<string> {
  const address = new URL(pickText((await readMetadata(probe)).body, endpoint));
  if (address.host !== probe.baseUrl.host) {
    throw new LeftOut(`the authorization server is at ${address.host}`);
  }
  return address.pathname;
}
