import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

let test: TestApp;
beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

const exportOf = (member: Member, cursor?: string) =>
  test.api.get(`/v1/me/export${cursor === undefined ? '' : `?cursor=${cursor}`}`, member.accessToken);

describe('GET /v1/me/export', () => {
  it('200: answers what is kept about the caller, without secrets and other people', async () => {
    const owner = await test.register('Owner Test');
    const ada = await joinOrganization(test, owner, 'admin', 'Ada Test');
    const there = { 'x-organization-id': owner.organizationId };
    const { key } = await test.issueLicense(owner.organizationId);
    const body = {
      license_key: key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
      metadata: { hostname: 'difference-engine' },
    };
    const { session_id } = (await test.api.post('/v1/licenses/acquire', ada.accessToken, body, there)).body.data;
    await test.api.post('/v1/licenses/release', ada.accessToken, { session_id }, there);
    const input = { name: 'ci', scopes: ['read:profile'] };
    const { id, token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    const answer = await exportOf(ada);
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
    const text = JSON.stringify(data);
    for (const foreign of [owner.email, 'Owner Test', token, ada.password, '\\\\x', '$argon2']) {
      expect(text).not.toContain(foreign);
    }
  });

  it('has the seats that are still in use beside those that have ended', async () => {
    const ada = await test.register();
    const { key } = await test.issueLicense(ada.organizationId);
    const take = async (name: string) => {
      const hardware_id = `hw_${randomBytes(16).toString('hex')}`;
      const body = { license_key: key, hardware_id, metadata: { name } };
      return (await test.api.post('/v1/licenses/acquire', ada.accessToken, body)).body.data.session_id;
    };
    const [ended, held] = [await take('ended'), await take('held')];
    await test.api.post('/v1/licenses/release', ada.accessToken, { session_id: ended });
    expect((await exportOf(ada)).body.data.seat_sessions).toEqual([
      expect.objectContaining({ id: ended, status: 'released', metadata: { name: 'ended' } }),
      expect.objectContaining({ id: held, status: 'active', metadata: { name: 'held' }, ended_at: null }),
    ]);
  });

  it('goes on with its cursor until long sections are complete', async () => {
    const ada = await test.register();
    await execute(
      test.database,
      `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat,
          ended_at, status)
        select $1, 'sess_' || lpad(n::text, 8, '0'), 'lic_x', $2, 'hw_x', t, t, t, 'released'
        from generate_series(1, 4500) n, (select clock_timestamp() as t) c`,
      [ada.organizationId, ada.userId],
    );
    const ids: string[] = [];
    const pages: string[][] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const { data } = (await exportOf(ada, cursor)).body;
      ids.push(...data.seat_sessions.map((each: { id: string }) => each.id));
      pages.push(Object.keys(data));
      cursor = data.next_cursor;
    }
    expect([pages.length, ids.length, new Set(ids).size]).toEqual([3, 4_500, 4_500]);
    expect(pages[1]).toEqual(['seat_sessions', 'next_cursor']);
  });

  it.each(['nonsense', Buffer.from('[["users",["",""]]]').toString('base64url'), 'W10'])(
    '400: refuses %s as a cursor',
    async (cursor) => {
      const answer = await exportOf(await test.register(), cursor);
      expect(answer.body.error.details).toEqual({ field: 'cursor', reason: 'malformed' });
    },
  );

  it('401 without a token, 403 with an API token', async () => {
    const ada = await test.register();
    expect((await test.api.get('/v1/me/export')).status).toBe(401);
    const input = { name: 'ci', scopes: ['read:profile'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    expect((await test.api.get('/v1/me/export', token)).body.error.code).toBe('forbidden');
  });
});
