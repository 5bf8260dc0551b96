import { newId } from '../../src/ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../src/security/index.ts';
import type { Member } from './api-client.ts';
import { execute, type TestApp } from './index.ts';

/** What a user allows an app to do, with the app's tokens. */
export interface PlantedGrant {
  id: string;
  accessToken: string;
  refreshToken: string;
}

/** Writes an app, this user's grant to it and its tokens, as if the user had consented. */
export async function plantGrant(test: TestApp, owner: Member): Promise<PlantedGrant> {
  const [appId, id] = [newId('oauthApp'), newId('oauthGrant')];
  const accessToken = newToken(TOKEN_PREFIXES.oauthAccess);
  const refreshToken = newToken(TOKEN_PREFIXES.oauthRefresh);
  const { organizationId, userId } = owner;
  await execute(
    test.database,
    `with app as (
        insert into oauth_apps
          (organization_id, id, created_by, name, redirect_uris, scopes, is_confidential, created_at, updated_at)
        values ($1::text, $2::text, $3::text, 'App', '{https://app.example}', '{read:profile}', true, clock_timestamp(), clock_timestamp())
      ), granted as (
        insert into oauth_grants (organization_id, id, user_id, app_id, scopes, created_at, updated_at)
        values ($1::text, $4::text, $3::text, $2::text, '{read:profile}', clock_timestamp(), clock_timestamp())
      ), access as (
        insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
        values ($5, 'oauth', $3::text, $1::text, $4::text, '{read:profile}', clock_timestamp(), clock_timestamp() + interval '1 hour')
      )
      insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, created_at, expires_at)
      values ('RefreshToken', $6, '', $3::text, $4::text, clock_timestamp(), clock_timestamp() + interval '30 days')`,
    [organizationId, appId, userId, id, hashToken(accessToken), hashToken(refreshToken)],
  );
  return { id, accessToken, refreshToken };
}
