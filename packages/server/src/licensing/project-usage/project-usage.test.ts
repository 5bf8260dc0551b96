import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';

let ada: Member;
let license: { id: string; key: string };
let project: string;

const it = createTest().extend(
  'sessions',
  ({ app }) =>
    async (query = '') =>
      (await app.api.get(`/v1/licenses/${license.id}/sessions?${query}`, ada.accessToken)).body.data,
);

// Each test has its own organization, because several move its clock.
it.beforeEach(async ({ app }) => {
  ada = await app.register();
  license = await app.issueLicense(ada.organizationId, { maxSeats: 50, expiresAt: '2099-01-01T00:00:00Z' });
  project = await createProject(app, 'Feature film');
});

const createProject = async (app: TestApp, name: string, owner = ada): Promise<string> =>
  (await app.api.post('/v1/projects', owner.accessToken, { name })).body.data.id;
const change = (app: TestApp, id: string, body: unknown) =>
  app.api.call('PATCH', `/v1/projects/${id}`, { token: ada.accessToken, body });
const acquire = (app: TestApp, metadata: unknown) =>
  app.api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: license.key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
    metadata,
  });
const sessionOf = async (app: TestApp, projectId: string): Promise<string> =>
  (await acquire(app, { project_id: projectId })).body.data.session_id;
const release = (app: TestApp, id: string) => app.api.post('/v1/licenses/release', ada.accessToken, { session_id: id });
const usage = async (app: TestApp, id = project) => {
  const answer = await app.api.get(`/v1/projects/${id}/usage`, ada.accessToken);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

/** Moves the start of sessions this far into the past. */
const moveStartBack = (app: TestApp, seconds: number) =>
  execute(
    app.database,
    `update seat_slots set started_at = started_at - $2 * interval '1 second'
      where organization_id = $1 and session_id is not null`,
    [ada.organizationId, seconds],
  );

describe('GET /v1/projects/{project_id}/usage', () => {
  it('200: is empty at first, for the current month', async ({ app }) => {
    const now = new Date();
    const monthAt = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
    expect(await usage(app)).toEqual({
      project_id: project,
      period_start: monthAt(0).toISOString(),
      period_end: monthAt(1).toISOString(),
      seats: { used: 0 },
      sessions: 0,
      seat_seconds: 0,
    });
  });

  it('counts seats in use and sessions, and the seconds of ended sessions', async ({ app }) => {
    await acquire(app, { host: 'no project' });
    await sessionOf(app, await createProject(app, 'Other'));
    const [first] = [await sessionOf(app, project), await sessionOf(app, project)];
    expect(await usage(app)).toMatchObject({ seats: { used: 2 }, sessions: 2, seat_seconds: 0 });
    await moveToNextMonth(app);
    await app.runJobs();
    const idle = await usage(app);
    // A month later both have timed out in a past month.
    expect(idle).toMatchObject({ seats: { used: 0 }, sessions: 0, seat_seconds: 0 });
    const beganAtMs = performance.now();
    const [third, fourth] = [await sessionOf(app, project), await sessionOf(app, project)];
    await moveStartBack(app, 100);
    await release(app, third);
    await release(app, third);
    expect((await release(app, first)).body.error.code).toBe('session_timeout');
    const counted = await usage(app);
    expect(counted).toMatchObject({ seats: { used: 1 }, sessions: 2 });
    expect(counted.seat_seconds).toBeGreaterThanOrEqual(100);
    expect(counted.seat_seconds).toBeLessThan(110 + (performance.now() - beganAtMs) / 1_000);
    expect((await release(app, fourth)).status).toBe(200);
    expect(await usage(app)).toMatchObject({ seats: { used: 0 }, sessions: 2 });
  });

  it('counts a timed-out session as ended at its timeout, before and after the reaper has run', async ({
    app,
    sessions,
  }) => {
    await moveToNextMonth(app);
    await sessionOf(app, project);
    await app.moveClock(ada.organizationId, 179);
    expect(await usage(app)).toMatchObject({ seats: { used: 1 }, sessions: 1, seat_seconds: 0 });
    await app.moveClock(ada.organizationId, 3600);
    const before = await usage(app);
    expect(before).toMatchObject({ seats: { used: 0 }, sessions: 1, seat_seconds: 180 });
    await app.runJobs();
    expect((await sessions())[0].status).toBe('timed_out');
    expect(await usage(app)).toEqual(before);
  });

  it('counts a session whose seat was taken over before the reaper had run', async ({ app }) => {
    await moveToNextMonth(app);
    license = await app.issueLicense(ada.organizationId, { maxSeats: 1, expiresAt: '2099-01-01T00:00:00Z' });
    await sessionOf(app, project);
    await app.moveClock(ada.organizationId, 181);
    await sessionOf(app, project);
    expect(await usage(app)).toMatchObject({ seats: { used: 1 }, sessions: 2, seat_seconds: 180 });
    await app.runJobs();
    expect(await usage(app)).toMatchObject({ seats: { used: 1 }, sessions: 2, seat_seconds: 180 });
  });

  it('follows the clock of the organization into the next month', async ({ app }) => {
    await moveToNextMonth(app);
    await release(app, await sessionOf(app, project));
    const { period_end: end, sessions: counted } = await usage(app);
    expect(counted).toBe(1);
    await moveToNextMonth(app);
    expect(await usage(app)).toMatchObject({ period_start: end, sessions: 0, seat_seconds: 0 });
  });

  it('loses no count when two processes end sessions of several projects simultaneously', async ({ app }) => {
    const beside = await startAppForTest({ beside: app });
    const projects = [project, await createProject(app, 'Second'), await createProject(app, 'Third')];
    const ids = await Promise.all(Array.from({ length: 45 }, (_, n) => sessionOf(app, projects[n % 3] ?? project)));
    await moveStartBack(app, 50);
    const answers = await Promise.all(ids.map((id, n) => release(n % 2 === 0 ? app : beside, id)));
    expect(answers.map((each) => each.status)).toEqual(ids.map(() => 200));
    for (const id of projects) {
      const { sessions: counted, seats, seat_seconds } = await usage(app, id);
      expect([counted, seats.used]).toEqual([15, 0]);
      expect(seat_seconds).toBeGreaterThanOrEqual(15 * 50);
    }
  });

  it('counts a session once if two processes release it and time it out simultaneously', async ({ app }) => {
    const beside = await startAppForTest({ beside: app });
    const ids = await Promise.all(Array.from({ length: 10 }, () => sessionOf(app, project)));
    await app.moveClock(ada.organizationId, 181);
    await Promise.all([
      ...ids.map((id) => release(app, id)),
      ...ids.map((id) => release(beside, id)),
      app.runJobs(),
      beside.runJobs(),
    ]);
    await app.runJobs();
    const [row] = await execute<{ sessions: number; seat_seconds: number }>(
      app.database,
      `select sum(sessions)::int as sessions, sum(seat_seconds)::int as seat_seconds from project_usage_days
        where project_id = $1`,
      [project],
    );
    expect(row).toEqual({ sessions: 10, seat_seconds: 1800 });
  });

  it('keeps the sessions of a deleted project, and the project named by their metadata', async ({ app, sessions }) => {
    const [active, ended] = [await sessionOf(app, project), await sessionOf(app, project)];
    await release(app, ended);
    await app.api.call('DELETE', `/v1/projects/${project}`, { token: ada.accessToken });
    const heartbeat = await app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id: active });
    expect(heartbeat.status).toBe(200);
    expect((await sessions()).map((each: { metadata: unknown }) => each.metadata)).toEqual([
      { project_id: project },
      { project_id: project },
    ]);
    expect((await release(app, active)).status).toBe(200);
    expect((await app.api.get(`/v1/projects/${project}/usage`, ada.accessToken)).status).toBe(404);
  });

  it('still reports an archived project', async ({ app }) => {
    await sessionOf(app, project);
    await change(app, project, { status: 'archived' });
    expect(await usage(app)).toMatchObject({ seats: { used: 1 }, sessions: 1 });
  });

  it('404: an unknown project and another organization’s', async ({ app }) => {
    const eve = await app.register();
    for (const [id, token] of [
      ['proj_01kagt2m8xf3q9wz5r7e6b4c1n', ada.accessToken],
      ['nonsense', ada.accessToken],
      [project, eve.accessToken],
    ]) {
      const answer = await app.api.get(`/v1/projects/${id}/usage`, token);
      expect(answer.status).toBe(404);
      expect(answer.body.error.details).toEqual({ resource: 'project' });
    }
  });

  it('400 for a query, 401 without a token, 403 without the scope', async ({ app }) => {
    const path = `/v1/projects/${project}/usage`;
    expect((await app.api.get(`${path}?period=all`, ada.accessToken)).status).toBe(400);
    expect((await app.api.get(path)).status).toBe(401);
    const { token } = (
      await app.api.post('/v1/api-tokens', ada.accessToken, { name: 'licenses', scopes: ['read:licenses'] })
    ).body.data;
    const refused = await app.api.get(path, token);
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_scope: 'read:projects' });
  });
});

describe('GET /v1/licenses/{license_id}/sessions?project_id', () => {
  it('shows the sessions of one project, active and ended', async ({ app, sessions }) => {
    const other = await createProject(app, 'Other');
    const [active, ended] = [await sessionOf(app, project), await sessionOf(app, project)];
    await release(app, ended);
    await sessionOf(app, other);
    await acquire(app, undefined);
    const ids = async (query: string) => (await sessions(query)).map((each: { id: string }) => each.id);
    expect(await ids(`project_id=${project}`)).toEqual([ended, active]);
    expect(await ids(`project_id=${project}&sort=last_heartbeat&status=released`)).toEqual([ended]);
    expect(await ids('project_id=nonsense')).toEqual([]);
  });
});

/** Moves the organization's clock to the third day of its next month, so that no test crosses the end of a month. */
async function moveToNextMonth(app: TestApp): Promise<void> {
  const [row] = await execute<{ seconds: number }>(
    app.database,
    `select extract(epoch from (date_trunc('month', now.t at time zone 'UTC') + interval '1 month 2 days')
        - now.t at time zone 'UTC')::float8 as seconds
      from (select clock_timestamp() + clock_offset_ms * interval '1 millisecond' as t
        from organizations where id = $1) now`,
    [ada.organizationId],
  );
  await app.moveClock(ada.organizationId, row?.seconds ?? 0);
}
