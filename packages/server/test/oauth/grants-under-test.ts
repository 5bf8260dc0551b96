import { randomBytes } from 'node:crypto';
import { grantToApp } from '../../src/oauth/grants/grant-to-app.ts';
import { lockLiveGrant } from '../../src/oauth/grants/queries.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../src/security/index.ts';
import { createTest } from '../harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';

/** Vitest's `it` with the grants of two processes. */
export function createGrantsTest() {
  return createTest().extend('grants', { scope: 'file' }, ({ app, second, admin }) =>
    grantsUnderTest(app, second, admin),
  );
}

/** Common steps of grant tests, on two processes with one database. `maker` owns the apps. */
function grantsUnderTest(test: TestApp, second: TestApp, maker: Member) {
  /** Writes an access token for a grant like the authorization server: only while the grant is locked and alive. */
  const writeToken = (grantId: string, app = test): Promise<string | undefined> => {
    const token = newToken(TOKEN_PREFIXES.oauthAccess);
    return app.database.transaction(async (tx) => {
      const grant = await lockLiveGrant(tx, { grantId });
      if (grant === undefined) {
        return undefined;
      }
      await execute(
        tx,
        `insert into bearer_tokens
            (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
          values ($1, 'oauth', $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
        [hashToken(token), grant.user_id, grant.organization_id, grant.id, grant.scopes],
      );
      await execute(
        tx,
        `insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, created_at, expires_at)
          values ('RefreshToken', $1, '', $2, $3, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
        [randomBytes(32), grant.user_id, grant.id],
      );
      return token;
    });
  };
  return {
    writeToken,
    tokenFor: async (grantId: string) => (await writeToken(grantId)) ?? '',
    async makeApp(name = 'Console'): Promise<string> {
      const body = {
        name,
        redirect_uris: ['https://console.example.com/callback'],
        scopes: ['read:profile', 'read:licenses', 'read:org'],
        confidential: true,
      };
      return (await test.api.post('/v1/oauth-apps', maker.accessToken, body)).body.data.id;
    },
    /** Lets an app act for a user. Returns the grant's identifier, or an empty text if there is none. */
    async agree(
      appId: string,
      user: Member,
      scopes = ['read:profile'],
      organizationId = user.organizationId,
    ): Promise<string> {
      const wish = { organizationId, userId: user.userId, appId, scopes };
      return (await test.database.transaction((tx) => grantToApp(tx, wish)))?.id ?? '';
    },
    /** The status of a token's next request, on the second process. */
    statusOf: async (token: string) => (await second.api.get('/v1/me', token)).status,
    artifactsOf: (grantId: string) =>
      execute(test.database, 'select 1 from oauth_artifacts where grant_key = $1', [grantId]),
    endAt: (id: string, member: Member) =>
      test.api.call('DELETE', `/v1/auth/grants/${id}`, { token: member.accessToken }),
    listFor: async (member: Member, query = '') =>
      (await test.api.get(`/v1/auth/grants${query}`, member.accessToken)).body.data,
  };
}
