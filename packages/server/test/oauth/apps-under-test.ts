import { findOauthClient } from '../../src/oauth/apps/find-client.ts';
import { hashToken } from '../../src/security/index.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';

/** A good body of POST /v1/oauth-apps. */
export const INPUT = {
  name: 'Console',
  redirect_uris: ['https://console.example.com/callback'],
  scopes: ['read:profile', 'read:licenses'],
  confidential: true,
};

/** A user, acting in an organization. */
export interface Caller {
  token: string;
  headers: Record<string, string>;
}

/** This member as a caller in their own organization, or in another. */
export const at = (member: Member, organizationId = member.organizationId): Caller => ({
  token: member.accessToken,
  headers: { 'x-organization-id': organizationId },
});

/** Common steps of OAuth app tests, as `ada` unless another caller is given. */
export function appsUnderTest(test: TestApp, ada: Member) {
  const create = (changes: Record<string, unknown> = {}, caller = at(ada)) =>
    test.api.call('POST', '/v1/oauth-apps', { ...caller, body: { ...INPUT, ...changes } });
  return {
    create,
    /** A new app with its secret. */
    made: async (changes: Record<string, unknown> = {}, caller = at(ada)) => (await create(changes, caller)).body.data,
    rotate: (id: string, body: unknown = {}, caller = at(ada)) =>
      test.api.call('POST', `/v1/oauth-apps/${id}/rotate-secret`, { ...caller, body }),
    auditOf: (targetId: string) =>
      execute<{ action: string; before: unknown; after: unknown }>(
        test.database,
        'select action, before, after from audit_entries where target_id = $1 order by id',
        [targetId],
      ),
    /** Which of these secrets the authorization server would accept. */
    async accepted(id: string, secrets: readonly string[]): Promise<boolean[]> {
      const hashes = (await findOauthClient(test.database, id))?.secretHashes ?? [];
      return secrets.map((secret) => hashes.some((hash) => hash.equals(hashToken(secret))));
    },
  };
}
