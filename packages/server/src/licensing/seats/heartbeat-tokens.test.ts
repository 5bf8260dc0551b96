import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';

/** A heartbeat's token is checked by the statement that keeps the session alive, not by an earlier one. */
describe('a heartbeat with a previously accepted token', () => {
  async function begin(app: TestApp): Promise<{
    ada: Member;
    sessionId: string;
    beat: (token: string, headers?: Record<string, string>) => ReturnType<TestApp['api']['post']>;
  }> {
    const ada = await app.register();
    const license = await app.issueLicense(ada.organizationId);
    const body = { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
    const sessionId = (await app.api.post('/v1/licenses/acquire', ada.accessToken, body)).body.data.session_id;
    const beat = (token: string, headers = {}) =>
      app.api.post('/v1/licenses/heartbeat', token, { session_id: sessionId }, headers);
    expect((await beat(ada.accessToken)).status).toBe(200);
    return { ada, sessionId, beat };
  }

  it('is refused immediately once the token is revoked, on this process or another', async ({ app, second }) => {
    const { ada, beat } = await begin(app);
    await second.api.post('/v1/auth/logout', ada.accessToken, {});
    const refused = await beat(ada.accessToken);
    expect(refused.status).toBe(401);
    expect(refused.body.error.code).toBe('invalid_token');
  });

  it('is refused with token_expired once the token has expired', async ({ app }) => {
    const { ada, beat } = await begin(app);
    await execute(app.database, `update bearer_tokens set expires_at = clock_timestamp() where user_id = $1`, [
      ada.userId,
    ]);
    expect((await beat(ada.accessToken)).body.error.code).toBe('token_expired');
  });

  it('is refused once its user has left the organization', async ({ app }) => {
    const { ada, beat } = await begin(app);
    await execute(app.database, 'delete from memberships where user_id = $1', [ada.userId]);
    expect((await beat(ada.accessToken)).status).toBe(401);
  });

  it('follows the current role: a former admin cannot keep another user’s session alive', async ({ app }) => {
    const { ada, beat } = await begin(app);
    const bob = await app.register('Bob');
    await execute(
      app.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at) values ($1, $2, 'Test', 'admin', clock_timestamp())`,
      [ada.organizationId, bob.userId],
    );
    const inAda = { 'x-organization-id': ada.organizationId };
    expect((await beat(bob.accessToken, inAda)).status).toBe(200);
    await execute(app.database, `update memberships set role = 'member' where organization_id = $1 and user_id = $2`, [
      ada.organizationId,
      bob.userId,
    ]);
    const refused = await beat(bob.accessToken, inAda);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    await execute(app.database, `update memberships set role = 'admin' where organization_id = $1 and user_id = $2`, [
      ada.organizationId,
      bob.userId,
    ]);
    expect((await beat(bob.accessToken, inAda)).status).toBe(200);
  });

  it('does not benefit from a valid token that asks for the same session simultaneously', async ({ app, second }) => {
    const { ada, beat } = await begin(app);
    const { token, id } = (
      await app.api.post('/v1/api-tokens', ada.accessToken, { name: 'x', scopes: ['manage:licenses'] })
    ).body.data;
    expect((await beat(token)).status).toBe(200);
    await second.api.call('DELETE', `/v1/api-tokens/${id}`, { token: ada.accessToken });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => beat(n % 2 === 0 ? ada.accessToken : token)),
    );
    expect(answers.map((each) => each.status)).toEqual(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 200 : 401)));
  });

  it('finds no session of another organization, even if another caller keeps it alive in the same batch', async ({
    app,
  }) => {
    const { ada, beat } = await begin(app);
    const eve = await app.register('Eve');
    expect((await beat(eve.accessToken)).status).toBe(404);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => beat(n % 2 === 0 ? ada.accessToken : eve.accessToken)),
    );
    expect(answers.map((each) => each.status)).toEqual(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 200 : 404)));
  });

  it('works with an Idempotency-Key, which is looked up only after authorization', async ({ app }) => {
    const { ada, beat } = await begin(app);
    const headers = { 'idempotency-key': 'beat-1' };
    const first = await beat(ada.accessToken, headers);
    const again = await beat(ada.accessToken, headers);
    expect(again.body.data).toEqual(first.body.data);
    await app.api.post('/v1/auth/logout', ada.accessToken, {});
    expect((await beat(ada.accessToken, headers)).status).toBe(401);
  });

  it('times out a session at a timeout that was shortened after its start', async ({ app }) => {
    const { ada, sessionId, beat } = await begin(app);
    await execute(app.database, 'update licenses set session_timeout_seconds = 60 where organization_id = $1', [
      ada.organizationId,
    ]);
    expect((await beat(ada.accessToken)).status).toBe(200);
    await app.moveClock(ada.organizationId, 61);
    await app.runJobs();
    const { data } = (await app.api.get(`/v1/events?type=license.seat.timeout`, ada.accessToken)).body;
    expect(data.map((each: { data: { object: { session_id: string } } }) => each.data.object.session_id)).toEqual([
      sessionId,
    ]);
  });
});
