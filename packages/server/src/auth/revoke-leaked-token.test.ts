import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import { plantGrant } from '../../test/harness/plant-grant.ts';
import { Database } from '../database/index.ts';
import { createLogger } from '../log/index.ts';
import { Mailer } from '../mail/index.ts';
import { CONNECTED_APPS } from '../oauth/index.ts';
import { newToken } from '../security/index.ts';
import { createLeakRevoker } from './revoke-leaked-token.ts';

let test: TestApp;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

/** Sends a token as a proxy does whose client spoke plain HTTP. */
const leak = async (token: string) => {
  const leaking = await openLeakingApp();
  return leaking.api.get('/v1/me', token, { 'x-forwarded-proto': 'http' });
};

let leaking: TestApp | undefined;

const openLeakingApp = async (): Promise<TestApp> => {
  leaking ??= await openTestApp({ beside: test, settings: { SEATHOLD_TRUST_PROXY: '127.0.0.1/32' } });
  return leaking;
};
afterAll(() => leaking?.close());

const leakMails = async (owner: Member) =>
  (await test.mailsTo(owner.email)).filter((mail) => mail.kind === 'token-leaked');

const auditOf = (owner: Member) =>
  execute(
    test.database,
    `select target_type, target_id, actor_user_id from audit_entries
      where organization_id = $1 and action = 'token.revoked_after_leak'`,
    [owner.organizationId],
  );

const isAlive = async (token: string) => (await test.api.get('/v1/me', token)).status === 200;

describe('a token that was sent in the clear', () => {
  it.each(['accessToken', 'refreshToken'] as const)('ends the grant of an app, by its %s', async (kind) => {
    const ada = await test.register();
    const grant = await plantGrant(test, ada);
    expect(await isAlive(grant.accessToken)).toBe(true);
    expect((await leak(grant[kind])).body.error.code).toBe('https_required');
    expect(await isAlive(grant.accessToken)).toBe(false);
    const left = 'select 1 as one from oauth_artifacts where grant_key = $1';
    expect(await execute(test.database, left, [grant.id])).toEqual([]);
    expect(await isAlive(ada.accessToken)).toBe(true);
    expect(await auditOf(ada)).toEqual([{ target_type: 'oauth_grant', target_id: grant.id, actor_user_id: null }]);
    expect(await leakMails(ada)).toHaveLength(1);
  });

  it('ends the whole login of a session’s token', async () => {
    const ada = await test.register();
    await leak(ada.refreshToken);
    expect(await isAlive(ada.accessToken)).toBe(false);
    expect(await auditOf(ada)).toMatchObject([{ target_type: 'login_session' }]);
  });

  it('is mailed to its owner once, however often it is seen, and never with the token', async () => {
    const ada = await test.register();
    const input = { name: 'ci', scopes: ['read:profile'] };
    const { token, id } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    await Promise.all(Array.from({ length: 10 }, () => leak(token)));
    await leak(token);
    expect(await isAlive(token)).toBe(false);
    const mails = await leakMails(ada);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).toContain(id);
    expect(JSON.stringify(mails)).not.toContain(token.slice(0, 20));
    expect(await auditOf(ada)).toEqual([{ target_type: 'api_token', target_id: id, actor_user_id: null }]);
    expect(leaking?.logLines.join('\n')).not.toContain(token);
  });

  it('tells nobody of a token that was revoked before', async () => {
    const ada = await test.register();
    await test.api.post('/v1/auth/logout', ada.accessToken, undefined);
    await leak(ada.accessToken);
    expect(await leakMails(ada)).toEqual([]);
    expect(await auditOf(ada)).toEqual([]);
  });
});

describe('forged tokens from the clear', () => {
  it('are looked up in one statement when they arrive together', async () => {
    const statements: string[] = [];
    class WatchedDatabase extends Database {
      override execute(...given: Parameters<Database['execute']>) {
        statements.push(given[0].name);
        return super.execute(...given);
      }
    }
    const database = new WatchedDatabase(test.databaseUrl, { connections: 2, maxWaiting: 10 }, () => undefined);
    const deps = { database, log: createLogger('error'), mailer: new Mailer(test.masterKey) };
    const revoke = createLeakRevoker({ ...deps, apiTokenPrefix: 'svc_live_', connectedApps: CONNECTED_APPS });
    const forged = Array.from({ length: 200 }, (_, n) => newToken(n % 2 === 0 ? 'svc_sat_' : 'svc_opt_'));
    const ada = await test.register();
    const outcomes = await Promise.all([...forged, ada.accessToken].map(revoke));
    await database.close();
    expect(statements).toEqual(['list_token_sources']);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await isAlive(ada.accessToken)).toBe(false);
  });
});
