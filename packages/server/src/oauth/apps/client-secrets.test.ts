import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, startTestApp } from '../../../test/harness/index.ts';
import { appsUnderTest, at } from '../../../test/oauth/apps-under-test.ts';

const it = createTest().extend('apps', { scope: 'file' }, ({ app, admin }) => appsUnderTest(app, admin));

describe('POST /v1/oauth-apps/{id}/rotate-secret', () => {
  it('200: the old secret stays valid for the overlap; a third secret ends the oldest immediately', async ({
    apps,
  }) => {
    const { id, client_secret: first } = await apps.made();
    const answer = await apps.rotate(id);
    expect(answer.status).toBe(200);
    const { client_secret: second, secrets } = answer.body.data;
    expect(second).toMatch(/^svc_ocs_/);
    expect(secrets).toHaveLength(2);
    expect(secrets[0].expires_at).toBeNull();
    expect(Math.abs(Date.parse(secrets[1].expires_at) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    expect(await apps.accepted(id, [first, second])).toEqual([true, true]);
    const { client_secret: third } = (await apps.rotate(id, { overlap_seconds: 60 })).body.data;
    expect(await apps.accepted(id, [first, second, third])).toEqual([false, true, true]);
    const { client_secret: fourth } = (await apps.rotate(id, { overlap_seconds: 0 })).body.data;
    expect(await apps.accepted(id, [first, second, third, fourth])).toEqual([false, false, false, true]);
    const entry = (await apps.auditOf(id)).at(-1);
    expect(entry).toMatchObject({ action: 'oauth_app.secret_rotated', after: { secrets: [{ expires_at: null }] } });
    expect(JSON.stringify(entry)).not.toContain('svc_ocs_');
  });

  it('leaves two valid secrets after fifty simultaneous rotations on two processes', async ({ app, admin, apps }) => {
    const second = await startTestApp({ beside: app });
    try {
      const { id } = await apps.made();
      const processes = [app, second];
      await Promise.all(
        processes.flatMap(({ api }) => Array.from({ length: 10 }, () => api.get('/v1/me', admin.accessToken))),
      );
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          processes[n % 2]?.api.post(`/v1/oauth-apps/${id}/rotate-secret`, admin.accessToken, {}),
        ),
      );
      expect(answers.every((answer) => answer?.status === 200)).toBe(true);
      const secrets = answers.map((answer) => answer?.body.data.client_secret);
      expect((await apps.accepted(id, secrets)).filter(Boolean)).toHaveLength(2);
      expect((await app.api.call('GET', `/v1/oauth-apps/${id}`, at(admin))).body.data.secrets).toHaveLength(2);
    } finally {
      await second.close();
    }
  });

  it.for([
    [{ overlap_seconds: -1 }, 'overlap_seconds', 'min'],
    [{ overlap_seconds: 604_801 }, 'overlap_seconds', 'max'],
    [{ overlap_seconds: 1.5 }, 'overlap_seconds', 'type'],
    [{ overlap: 1 }, 'overlap', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { apps }) => {
    const { id } = await apps.made();
    const answer = await apps.rotate(id, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it('409: a public app has no secret', async ({ apps }) => {
    const { id } = await apps.made({ confidential: false });
    const answer = await apps.rotate(id);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('conflict');
  });
});

describe('a client secret', () => {
  it('is neither in the tables nor in the log', async ({ app, apps }) => {
    const oauthApp = await apps.made();
    const secrets = [oauthApp.client_secret, (await apps.rotate(oauthApp.id)).body.data.client_secret];
    const tables = await execute<{ name: string }>(
      app.database,
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const secret of secrets) {
      const bytes = Buffer.from(secret).toString('hex');
      for (const { name } of tables) {
        const found = await execute(
          app.database,
          // The name is repeated at the end, where the harness looks for it.
          `select 1 from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%' limit 1 -- ${name}`,
          [secret, bytes],
        );
        expect({ name, found }).toEqual({ name, found: [] });
      }
      expect(app.logLines.join('\n')).not.toContain(secret);
    }
  });

  it('is deleted 30 days after it expired, and not before', async ({ app, apps }) => {
    const { id } = await apps.made();
    await apps.rotate(id);
    await apps.rotate(id);
    const expire = (days: number) =>
      execute(
        app.database,
        `update oauth_client_secrets set expires_at = clock_timestamp() - $2::integer * interval '1 day'
          where app_id = $1 and expires_at < clock_timestamp() + interval '1 hour'`,
        [id, days],
      );
    const kept = () => execute(app.database, 'select 1 from oauth_client_secrets where app_id = $1', [id]);
    await expire(29);
    await app.runJobs();
    expect(await kept()).toHaveLength(3);
    await expire(31);
    await app.runJobs();
    expect(await kept()).toHaveLength(2);
  });
});
