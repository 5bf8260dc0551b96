import { describe, expect } from 'vitest';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import {
  createOauthTest,
  credentialsOf,
  obtainCode,
  obtainTokens,
  postForm,
  redeem,
  refresh,
} from '../../test/harness/oauth-world.ts';

const it = createOauthTest();

/** The entries about tokens in the log of the user's organization, with who ended them. */
async function entriesOf(app: TestApp, user: Member) {
  const rows = await execute<{ action: string; target_type: string; target_id: string; after: unknown }>(
    app.database,
    `select action, target_type, target_id, after, credential_kind, actor_user_id, client_address,
       request_id like 'req_%' as has_request
     from audit_entries where organization_id = $1 and action in ('oauth_token.revoked', 'oauth_grant.tokens_ended')
     order by created_at, id`,
    [user.organizationId],
  );
  return rows;
}

async function expected(app: TestApp, user: Member, action: string, after: unknown) {
  const [grant] = await execute<{ id: string }>(app.database, 'select id from oauth_grants where user_id = $1', [
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

describe('the audit log records', () => {
  it('that an app revoked a token, once per token and not for unknown ones', async ({ app, ada, server, phone }) => {
    const { accessToken, refreshToken } = await obtainTokens(app, server, ada);
    for (const token of [accessToken, accessToken, 'svc_oat_unknown', refreshToken, refreshToken]) {
      await postForm(app, 'revoke', { token, ...credentialsOf(phone) });
      expect((await postForm(app, 'revoke', { token, ...credentialsOf(server) })).status).toBe(200);
    }
    expect(await entriesOf(app, ada)).toEqual([
      await expected(app, ada, 'oauth_token.revoked', { by: 'app', token_type: 'access_token' }),
      await expected(app, ada, 'oauth_token.revoked', { by: 'app', token_type: 'refresh_token' }),
    ]);
  });

  it('that a code was used twice', async ({ app, ada, server }) => {
    const code = await obtainCode(app, server, ada);
    const { access_token: token } = (await redeem(app, server, code)).body;
    expect((await redeem(app, server, code)).body.error).toBe('invalid_grant');
    expect((await redeem(app, server, code)).body.error).toBe('invalid_grant');
    expect((await app.api.get('/v1/me', token)).status).toBe(401);
    expect(await entriesOf(app, ada)).toEqual([
      await expected(app, ada, 'oauth_grant.tokens_ended', { reason: 'code_replayed' }),
    ]);
  });

  it('that a refresh token was used twice', async ({ app, ada, phone }) => {
    const { refreshToken } = await obtainTokens(app, phone, ada);
    const next = (await refresh(app, phone, refreshToken)).body;
    expect((await refresh(app, phone, refreshToken)).body.error).toBe('invalid_grant');
    expect((await refresh(app, phone, next.refresh_token)).body.error).toBe('invalid_grant');
    expect(await entriesOf(app, ada)).toEqual([
      await expected(app, ada, 'oauth_grant.tokens_ended', { reason: 'refresh_token_reused' }),
    ]);
  });
});
