import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import {
  credentialsOf,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  obtainTokens,
  postForm,
  redeem,
  refresh,
} from '../../test/harness/oauth-world.ts';

let test: TestApp;
let vendor: Member;
let server: OauthApp;
let phone: OauthApp;

beforeAll(async () => {
  test = await openTestApp();
  vendor = await test.register('Vendor');
  server = await makeOauthApp(test, vendor);
  phone = await makeOauthApp(test, vendor, { confidential: false, redirect_uris: ['com.example.console:/callback'] });
});
afterAll(() => test.close());

/** What the log of the user's organization says of tokens, with what it says of who ended them. */
async function entriesOf(user: Member) {
  const rows = await execute<{ action: string; target_type: string; target_id: string; after: unknown }>(
    test.database,
    `select action, target_type, target_id, after, credential_kind, actor_user_id, client_address,
       request_id like 'req_%' as has_request
     from audit_entries where organization_id = $1 and action in ('oauth_token.revoked', 'oauth_grant.tokens_ended')
     order by created_at, id`,
    [user.organizationId],
  );
  return rows;
}

async function expected(user: Member, action: string, after: unknown) {
  const [grant] = await execute<{ id: string }>(test.database, 'select id from oauth_grants where user_id = $1', [
    user.userId,
  ]);
  return {
    action,
    after,
    target_type: 'oauth_grant',
    target_id: grant?.id,
    credential_kind: 'none',
    actor_user_id: null,
    client_address: '127.0.0.1',
    has_request: true,
  };
}

describe('the audit log tells', () => {
  it('that an app revoked a token, once for each and not for what is none', async () => {
    const ada = await test.register();
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada);
    for (const token of [accessToken, accessToken, 'svc_oat_unknown', refreshToken, refreshToken]) {
      await postForm(test, 'revoke', { token, ...credentialsOf(phone) });
      expect((await postForm(test, 'revoke', { token, ...credentialsOf(server) })).status).toBe(200);
    }
    expect(await entriesOf(ada)).toEqual([
      await expected(ada, 'oauth_token.revoked', { by: 'app', token_type: 'access_token' }),
      await expected(ada, 'oauth_token.revoked', { by: 'app', token_type: 'refresh_token' }),
    ]);
  });

  it('that a code was used twice', async () => {
    const ada = await test.register();
    const code = await obtainCode(test, server, ada);
    const { access_token: token } = (await redeem(test, server, code)).body;
    expect((await redeem(test, server, code)).body.error).toBe('invalid_grant');
    expect((await redeem(test, server, code)).body.error).toBe('invalid_grant');
    expect((await test.api.get('/v1/me', token)).status).toBe(401);
    expect(await entriesOf(ada)).toEqual([
      await expected(ada, 'oauth_grant.tokens_ended', { reason: 'code_replayed' }),
    ]);
  });

  it('that a refresh token was used twice', async () => {
    const ada = await test.register();
    const { refreshToken } = await obtainTokens(test, phone, ada);
    const next = (await refresh(test, phone, refreshToken)).body;
    expect((await refresh(test, phone, refreshToken)).body.error).toBe('invalid_grant');
    expect((await refresh(test, phone, next.refresh_token)).body.error).toBe('invalid_grant');
    expect(await entriesOf(ada)).toEqual([
      await expected(ada, 'oauth_grant.tokens_ended', { reason: 'refresh_token_reused' }),
    ]);
  });
});
