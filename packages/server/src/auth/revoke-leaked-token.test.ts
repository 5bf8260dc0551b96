import { describe, expect } from 'vitest';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute, type Member, startTestApp, type TestApp } from '../../test/harness/index.ts';
import { plantGrant } from '../../test/harness/plant-grant.ts';
import { Database } from '../database/index.ts';
import { createLogger } from '../log/index.ts';
import { Mailer } from '../mail/index.ts';
import { CONNECTED_APPS } from '../oauth/index.ts';
import { newToken } from '../security/index.ts';
import { createLeakRevoker } from './revoke-leaked-token.ts';

const it = createTest()
  /** A process behind a proxy that reports its clients' protocol. */
  .extend('leaking', { scope: 'file' }, async ({ app }, { onCleanup }) => {
    const leaking = await startTestApp({ beside: app, settings: { SEATHOLD_TRUST_PROXY: '127.0.0.1/32' } });
    onCleanup(() => leaking.close());
    return leaking;
  });

/** Sends a token through a proxy whose client used plain HTTP. */
const leak = (leaking: TestApp, token: string) => leaking.api.get('/v1/me', token, { 'x-forwarded-proto': 'http' });

const leakMails = async (app: TestApp, owner: Member) =>
  (await app.mailsTo(owner.email)).filter((mail) => mail.kind === 'token-leaked');

const auditOf = (app: TestApp, owner: Member) =>
  execute(
    app.database,
    `select target_type, target_id, actor_user_id from audit_entries
      where organization_id = $1 and action = 'token.revoked_after_leak'`,
    [owner.organizationId],
  );

const isAlive = async (app: TestApp, token: string) => (await app.api.get('/v1/me', token)).status === 200;

describe('a token sent unencrypted', () => {
  it.for(['accessToken', 'refreshToken'] as const)(
    'ends the grant of an app, by its %s',
    async (kind, { app, ada, leaking }) => {
      const grant = await plantGrant(app, ada);
      expect(await isAlive(app, grant.accessToken)).toBe(true);
      expect((await leak(leaking, grant[kind])).body.error.code).toBe('https_required');
      expect(await isAlive(app, grant.accessToken)).toBe(false);
      const left = 'select 1 as one from oauth_artifacts where grant_key = $1';
      expect(await execute(app.database, left, [grant.id])).toEqual([]);
      expect(await isAlive(app, ada.accessToken)).toBe(true);
      expect(await auditOf(app, ada)).toEqual([
        { target_type: 'oauth_grant', target_id: grant.id, actor_user_id: null },
      ]);
      expect(await leakMails(app, ada)).toHaveLength(1);
    },
  );

  it('ends the whole login of a session’s token', async ({ app, ada, leaking }) => {
    await leak(leaking, ada.refreshToken);
    expect(await isAlive(app, ada.accessToken)).toBe(false);
    expect(await auditOf(app, ada)).toMatchObject([{ target_type: 'login_session' }]);
  });

  it('is reported to its owner by mail once, however often it is seen, and never with the token', async ({
    app,
    ada,
    leaking,
  }) => {
    const input = { name: 'ci', scopes: ['read:profile'] };
    const { token, id } = (await app.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    await Promise.all(Array.from({ length: 10 }, () => leak(leaking, token)));
    await leak(leaking, token);
    expect(await isAlive(app, token)).toBe(false);
    const mails = await leakMails(app, ada);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).toContain(id);
    expect(JSON.stringify(mails)).not.toContain(token.slice(0, 20));
    expect(await auditOf(app, ada)).toEqual([{ target_type: 'api_token', target_id: id, actor_user_id: null }]);
    expect(leaking.logLines.join('\n')).not.toContain(token);
  });

  it('sends no mail about a token that was already revoked', async ({ app, ada, leaking }) => {
    await app.api.post('/v1/auth/logout', ada.accessToken, undefined);
    await leak(leaking, ada.accessToken);
    expect(await leakMails(app, ada)).toEqual([]);
    expect(await auditOf(app, ada)).toEqual([]);
  });
});

describe('forged tokens sent unencrypted', () => {
  it('are looked up in one statement when they arrive together', async ({ app }) => {
    const statements: string[] = [];
    class WatchedDatabase extends Database {
      override execute(...given: Parameters<Database['execute']>) {
        statements.push(given[0].name);
        return super.execute(...given);
      }
    }
    const database = new WatchedDatabase(app.databaseUrl, { connections: 2, maxWaiting: 10 }, () => undefined);
    const deps = { database, log: createLogger('error'), mailer: new Mailer(app.masterKey) };
    const revoke = createLeakRevoker({ ...deps, apiTokenPrefix: 'svc_live_', connectedApps: CONNECTED_APPS });
    const forged = Array.from({ length: 200 }, (_, n) => newToken(n % 2 === 0 ? 'svc_sat_' : 'svc_opt_'));
    const ada = await app.register();
    const outcomes = await Promise.all([...forged, ada.accessToken].map(revoke));
    await database.close();
    expect(statements).toEqual(['list_token_sources']);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await isAlive(app, ada.accessToken)).toBe(false);
  });
});
