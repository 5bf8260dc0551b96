import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';

let test: TestApp;
let ada: Member;
let license: { id: string; key: string };
let project: string;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

// Each test has its own organization: several move its clock.
beforeEach(async () => {
  ada = await test.register();
  license = await test.issueLicense(ada.organizationId, { maxSeats: 50, expiresAt: '2099-01-01T00:00:00Z' });
  project = await createProject('Feature film');
});

const createProject = async (name: string, owner = ada): Promise<string> =>
  (await test.api.post('/v1/projects', owner.accessToken, { name })).body.data.id;
const change = (id: string, body: unknown) =>
  test.api.call('PATCH', `/v1/projects/${id}`, { token: ada.accessToken, body });
const acquire = (metadata: unknown) =>
  test.api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: license.key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
    metadata,
  });
const sessionOf = async (projectId: string): Promise<string> =>
  (await acquire({ project_id: projectId })).body.data.session_id;
const release = (id: string, app = test) => app.api.post('/v1/licenses/release', ada.accessToken, { session_id: id });
const usage = async (id = project) => {
  const answer = await test.api.get(`/v1/projects/${id}/usage`, ada.accessToken);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const sessions = async (query = '') =>
  (await test.api.get(`/v1/licenses/${license.id}/sessions?${query}`, ada.accessToken)).body.data;

/** Lets sessions have begun that long ago. */
const beganAgo = (seconds: number) =>
  execute(
    test.database,
    `update seat_slots set started_at = started_at - $2 * interval '1 second'
      where organization_id = $1 and session_id is not null`,
    [ada.organizationId, seconds],
  );

describe('GET /v1/projects/{project_id}/usage', () => {
  it('200: begins with nothing, in the present month', async () => {
    const now = new Date();
    const monthAt = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
    expect(await usage()).toEqual({
      project_id: project,
      period_start: monthAt(0).toISOString(),
      period_end: monthAt(1).toISOString(),
      seats: { used: 0 },
      sessions: 0,
      seat_seconds: 0,
    });
  });

  it('counts seats in use and sessions, and the seconds of those that ended', async () => {
    await acquire({ host: 'no project' });
    await sessionOf(await createProject('Other'));
    const [first] = [await sessionOf(project), await sessionOf(project)];
    expect(await usage()).toMatchObject({ seats: { used: 2 }, sessions: 2, seat_seconds: 0 });
    await moveToNextMonth();
    await test.runJobs();
    const idle = await usage();
    // A month later both have timed out in a month that is over.
    expect(idle).toMatchObject({ seats: { used: 0 }, sessions: 0, seat_seconds: 0 });
    const beganAtMs = performance.now();
    const [third, fourth] = [await sessionOf(project), await sessionOf(project)];
    await beganAgo(100);
    await release(third);
    await release(third);
    expect((await release(first)).body.error.code).toBe('session_timeout');
    const counted = await usage();
    expect(counted).toMatchObject({ seats: { used: 1 }, sessions: 2 });
    expect(counted.seat_seconds).toBeGreaterThanOrEqual(100);
    expect(counted.seat_seconds).toBeLessThan(110 + (performance.now() - beganAtMs) / 1_000);
    expect((await release(fourth)).status).toBe(200);
    expect(await usage()).toMatchObject({ seats: { used: 0 }, sessions: 2 });
  });

  it('counts a session that timed out as ended at its timeout, before and after it is tidied up alike', async () => {
    await moveToNextMonth();
    await sessionOf(project);
    await test.moveClock(ada.organizationId, 179);
    expect(await usage()).toMatchObject({ seats: { used: 1 }, sessions: 1, seat_seconds: 0 });
    await test.moveClock(ada.organizationId, 3600);
    const before = await usage();
    expect(before).toMatchObject({ seats: { used: 0 }, sessions: 1, seat_seconds: 180 });
    await test.runJobs();
    expect((await sessions())[0].status).toBe('timed_out');
    expect(await usage()).toEqual(before);
  });

  it('counts a session whose seat another one took before it was tidied up', async () => {
    await moveToNextMonth();
    license = await test.issueLicense(ada.organizationId, { maxSeats: 1, expiresAt: '2099-01-01T00:00:00Z' });
    await sessionOf(project);
    await test.moveClock(ada.organizationId, 181);
    await sessionOf(project);
    expect(await usage()).toMatchObject({ seats: { used: 1 }, sessions: 2, seat_seconds: 180 });
    await test.runJobs();
    expect(await usage()).toMatchObject({ seats: { used: 1 }, sessions: 2, seat_seconds: 180 });
  });

  it('follows the clock of the organization into the next month', async () => {
    await moveToNextMonth();
    await release(await sessionOf(project));
    const { period_end: end, sessions: counted } = await usage();
    expect(counted).toBe(1);
    await moveToNextMonth();
    expect(await usage()).toMatchObject({ period_start: end, sessions: 0, seat_seconds: 0 });
  });

  it('loses no count when two processes end sessions of several projects at once', async () => {
    const beside = await openAppForTest({ beside: test });
    const projects = [project, await createProject('Second'), await createProject('Third')];
    const ids = await Promise.all(Array.from({ length: 45 }, (_, n) => sessionOf(projects[n % 3] ?? project)));
    await beganAgo(50);
    const answers = await Promise.all(ids.map((id, n) => release(id, n % 2 === 0 ? test : beside)));
    expect(answers.map((each) => each.status)).toEqual(ids.map(() => 200));
    for (const id of projects) {
      const { sessions: counted, seats, seat_seconds } = await usage(id);
      expect([counted, seats.used]).toEqual([15, 0]);
      expect(seat_seconds).toBeGreaterThanOrEqual(15 * 50);
    }
  });

  it('counts once a session that two processes release and time out at once', async () => {
    const beside = await openAppForTest({ beside: test });
    const ids = await Promise.all(Array.from({ length: 10 }, () => sessionOf(project)));
    await test.moveClock(ada.organizationId, 181);
    await Promise.all([
      ...ids.map((id) => release(id)),
      ...ids.map((id) => release(id, beside)),
      test.runJobs(),
      beside.runJobs(),
    ]);
    await test.runJobs();
    const [row] = await execute<{ sessions: number; seat_seconds: number }>(
      test.database,
      `select sum(sessions)::int as sessions, sum(seat_seconds)::int as seat_seconds from project_usage_days
        where project_id = $1`,
      [project],
    );
    expect(row).toEqual({ sessions: 10, seat_seconds: 1800 });
  });

  it('keeps the sessions of a deleted project, and what their metadata names', async () => {
    const [active, ended] = [await sessionOf(project), await sessionOf(project)];
    await release(ended);
    await test.api.call('DELETE', `/v1/projects/${project}`, { token: ada.accessToken });
    const heartbeat = await test.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id: active });
    expect(heartbeat.status).toBe(200);
    expect((await sessions()).map((each: { metadata: unknown }) => each.metadata)).toEqual([
      { project_id: project },
      { project_id: project },
    ]);
    expect((await release(active)).status).toBe(200);
    expect((await test.api.get(`/v1/projects/${project}/usage`, ada.accessToken)).status).toBe(404);
  });

  it('still reports an archived project', async () => {
    await sessionOf(project);
    await change(project, { status: 'archived' });
    expect(await usage()).toMatchObject({ seats: { used: 1 }, sessions: 1 });
  });

  it('404: unknown and another organization’s', async () => {
    const eve = await test.register();
    for (const [id, token] of [
      ['proj_01kagt2m8xf3q9wz5r7e6b4c1n', ada.accessToken],
      ['nonsense', ada.accessToken],
      [project, eve.accessToken],
    ]) {
      const answer = await test.api.get(`/v1/projects/${id}/usage`, token);
      expect(answer.status).toBe(404);
      expect(answer.body.error.details).toEqual({ resource: 'project' });
    }
  });

  it('400 for a query, 401 without a token, 403 without the scope', async () => {
    const path = `/v1/projects/${project}/usage`;
    expect((await test.api.get(`${path}?period=all`, ada.accessToken)).status).toBe(400);
    expect((await test.api.get(path)).status).toBe(401);
    const { token } = (
      await test.api.post('/v1/api-tokens', ada.accessToken, { name: 'licenses', scopes: ['read:licenses'] })
    ).body.data;
    const refused = await test.api.get(path, token);
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_scope: 'read:projects' });
  });
});

describe('GET /v1/licenses/{license_id}/sessions?project_id', () => {
  it('shows the sessions of one project, active and ended', async () => {
    const other = await createProject('Other');
    const [active, ended] = [await sessionOf(project), await sessionOf(project)];
    await release(ended);
    await sessionOf(other);
    await acquire(undefined);
    const ids = async (query: string) => (await sessions(query)).map((each: { id: string }) => each.id);
    expect(await ids(`project_id=${project}`)).toEqual([ended, active]);
    expect(await ids(`project_id=${project}&sort=last_heartbeat&status=released`)).toEqual([ended]);
    expect(await ids('project_id=nonsense')).toEqual([]);
  });
});

/** Moves the organization's clock to the third day of its next month, so that no test runs across the end of one. */
async function moveToNextMonth(): Promise<void> {
  const [row] = await execute<{ seconds: number }>(
    test.database,
    `select extract(epoch from (date_trunc('month', now.t at time zone 'UTC') + interval '1 month 2 days')
        - now.t at time zone 'UTC')::float8 as seconds
      from (select clock_timestamp() + clock_offset_ms * interval '1 millisecond' as t
        from organizations where id = $1) now`,
    [ada.organizationId],
  );
  await test.moveClock(ada.organizationId, row?.seconds ?? 0);
}
