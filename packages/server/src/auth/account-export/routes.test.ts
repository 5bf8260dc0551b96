import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const exportOf = (app: TestApp, member: Member, cursor?: string) =>
  app.api.get(`/v1/me/export${cursor === undefined ? '' : `?cursor=${cursor}`}`, member.accessToken);

describe('GET /v1/me/export', () => {
  it('200: returns the caller’s data, without secrets or other people’s data', async ({ app }) => {
    const owner = await app.register('Owner Test');
    const ada = await joinOrganization(app, owner, 'admin', 'Ada Test');
    const there = { 'x-organization-id': owner.organizationId };
    const { key } = await app.issueLicense(owner.organizationId);
    const body = {
      license_key: key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
      metadata: { hostname: 'difference-engine' },
    };
    const { session_id } = (await app.api.post('/v1/licenses/acquire', ada.accessToken, body, there)).body.data;
    await app.api.post('/v1/licenses/release', ada.accessToken, { session_id }, there);
    const input = { name: 'ci', scopes: ['read:profile'] };
    const { id, token } = (await app.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    const answer = await exportOf(app, ada);
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({
      user: { id: ada.userId, email: ada.email, name: 'Ada Test', created_at: expect.stringMatching(/\.\d{3}Z$/) },
      organizations: expect.arrayContaining([expect.objectContaining({ id: owner.organizationId, role: 'admin' })]),
      api_tokens: [expect.objectContaining({ id, name: 'ci' })],
      seat_sessions: [expect.objectContaining({ id: session_id, metadata: { hostname: 'difference-engine' } })],
      invitations_received: [expect.objectContaining({ organization_id: owner.organizationId })],
      next_cursor: null,
    });
    expect(data.login_sessions[0].client_address).toMatch(/127\.0\.0\.1/);
    expect(data.audit_entries.map((entry: { action: string }) => entry.action)).toContain('api_token.created');
    // Her organizations are named after their founders.
    const text = JSON.stringify({ ...data, organizations: [] });
    for (const foreign of [owner.email, 'Owner Test', token, ada.password, '\\\\x', '$argon2']) {
      expect(text).not.toContain(foreign);
    }
  });

  it('pages through long sections with a cursor until they are complete', async ({ app, ada }) => {
    await execute(
      app.database,
      `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat,
          ended_at, status)
        select $1, 'sess_' || lpad(n::text, 8, '0'), 'lic_x', $2, 'hw_x', t, t, t, 'released'
        from generate_series(1, 4500) n, (select clock_timestamp() as t) c`,
      [ada.organizationId, ada.userId],
    );
    const ids: string[] = [];
    const pages: string[][] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const { data } = (await exportOf(app, ada, cursor)).body;
      ids.push(...data.seat_sessions.map((each: { id: string }) => each.id));
      pages.push(Object.keys(data));
      cursor = data.next_cursor;
    }
    expect([pages.length, ids.length, new Set(ids).size]).toEqual([3, 4_500, 4_500]);
    expect(pages[1]).toEqual(['seat_sessions', 'next_cursor']);
  });

  it('never truncates a section, however many rows it has', async ({ app, ada }) => {
    const others = await app.register();
    const fill = (text: string) => execute(app.database, text, [ada.organizationId, ada.userId, ada.email]);
    const given =
      '(select $1::text as o, $2::text as u, $3::text as e, clock_timestamp() as t) g, generate_series(1, 2500) n';
    const id = (prefix: string) => `'${prefix}_' || right(u, 8) || lpad(n::text, 8, '0')`;
    await fill(`insert into oauth_grants (organization_id, id, user_id, app_id, scopes, created_at, updated_at, ended_at)
      select o, ${id('grant')}, u, 'app_x', '{}', t, t, t from ${given}`);
    await fill(`insert into oauth_apps (organization_id, id, created_by, name, redirect_uris, scopes, is_confidential,
        created_at, updated_at)
      select o, ${id('app')}, u, 'x', '{}', '{}', false, t, t from ${given}`);
    await fill(`insert into oauth_artifacts (model, id_hash, payload, user_id, public_id, created_at, expires_at)
      select 'Session', sha256((u || n)::bytea), '', u, ${id('login')}, t + n / 100 * interval '1 ms', t + interval '1 day' from ${given}`);
    await fill(`insert into invitations (organization_id, id, email, role, invited_by, token_hash, created_at, expires_at,
        revoked_at)
      select o, ${id('invite')}, e, 'member', u, sha256((u || n)::bytea), t + n / 100 * interval '1 ms', t, t from ${given}`);
    await fill(`insert into outgoing_mails (id, recipient, kind, created_at, due_at, gave_up_at)
      select ${id('mail')}, e, 'x', t, t, t from ${given}`);
    await fill(`insert into events (organization_id, id, type, object, created)
      select o, ${id('evt')}, 'org.member.role_changed', jsonb_build_object('user_id', u, 'organization_id', o,
        'email', e, 'name', 'Ada', 'avatar_url', 'https://api.test/avatar.svg', 'role', 'billing',
        'previous_role', 'member', 'changed_by', u, 'created_at', '2026-01-01T00:00:00.000Z'), t from ${given}`);
    await execute(
      app.database,
      `insert into audit_entries (organization_id, id, action, actor_user_id, credential_kind, target_type, target_id,
          after, created_at)
        select $1, 'ae_' || lpad(n::text, 8, '0'), 'member.role_changed', $4, 'session',
          case when n % 2 = 0 then 'member' else 'invitation' end, case when n % 2 = 0 then $2 else 'x' end,
          jsonb_build_object('email', $3::text), clock_timestamp() from generate_series(1, 2500) n`,
      [ada.organizationId, ada.userId, ada.email, others.userId],
    );
    const ids = new Map<string, string[]>();
    let pages = 0;
    for (let cursor: string | undefined | null; cursor !== null; pages += 1) {
      const { data } = (await exportOf(app, ada, cursor)).body;
      for (const [name, items] of Object.entries(data).filter(([, value]) => Array.isArray(value))) {
        const more = (items as Array<{ id: string }>).map((each) => each.id);
        ids.set(name, [...(ids.get(name) ?? []), ...more]);
      }
      cursor = data.next_cursor;
    }
    expect(pages).toBe(2);
    const sections = ['oauth_grants', 'oauth_apps', 'browser_logins', 'invitations_received', 'invitations_sent'];
    for (const name of [...sections, 'membership_events', 'audit_entries_about_you']) {
      expect([name, ids.get(name)?.length, new Set(ids.get(name)).size]).toEqual([name, 2_500, 2_500]);
    }
    // Mails that wait to be sent include the verification mail.
    expect(new Set(ids.get('mails_waiting')).size).toBeGreaterThanOrEqual(2_500);
  });

  it('shows the history of memberships, names others without their addresses, and keeps metadata unchanged', async ({
    app,
  }) => {
    const owner = await app.register('Owner Test');
    const ada = await joinOrganization(app, owner, 'member', 'Ada Test');
    const there = { 'x-organization-id': owner.organizationId };
    const path = `/v1/orgs/${owner.organizationId}/members/${ada.userId}`;
    const changed = await app.api.call('PATCH', path, { token: owner.accessToken, body: { role: 'billing' } });
    expect(changed.status).toBe(200);
    const { key } = await app.issueLicense(owner.organizationId);
    const metadata = { checked_at: 'yesterday', built_at: '2026-01-01' };
    const body = { license_key: key, hardware_id: `hw_${randomBytes(16).toString('hex')}`, metadata };
    expect((await app.api.post('/v1/licenses/acquire', ada.accessToken, body, there)).status).toBe(201);
    const { status, body: answer } = await exportOf(app, ada);
    expect(status).toBe(200);
    expect(answer.data.held_seats).toMatchObject([{ metadata }]);
    const types = answer.data.membership_events.map(({ type }: { type: string }) => type);
    expect(types.toSorted()).toEqual(['org.member.invited', 'org.member.joined', 'org.member.role_changed']);
    const about: Array<{ action: string; client_address?: string }> = answer.data.audit_entries_about_you;
    expect(about.map(({ action }) => action)).toContain('member.role_changed');
    expect(about.filter((entry) => 'client_address' in entry)).toEqual([]);
    expect(JSON.stringify(answer.data)).not.toContain(owner.email);
  });

  it.for([
    'nonsense',
    Buffer.from('[["users",["",""]]]').toString('base64url'),
    'W10',
    Buffer.from('[["browser_logins",["x",""]]]').toString('base64url'),
  ])('400: refuses %s as a cursor', async (cursor, { app }) => {
    const answer = await exportOf(app, await app.register(), cursor);
    expect(answer.body.error.details).toEqual({ field: 'cursor', reason: 'malformed' });
  });

  it('401 without a token, 403 with an API token', async ({ app, ada }) => {
    expect((await app.api.get('/v1/me/export')).status).toBe(401);
    const token = await createApiToken(app, ada, ['read:profile']);
    expect((await app.api.get('/v1/me/export', token)).body.error.code).toBe('forbidden');
  });
});
