import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../harness/index.ts';
import { findPlanFaults, type PlanNode } from './judge-plan.ts';
import { type RecordedStatement, StatementRecorder } from './record-statements.ts';
import { SEATS_OF_THE_BUSIEST, seedRows } from './seed-rows.ts';
import { useOrganizations } from './use-organizations.ts';

let test: TestApp;
let ada: Member;
let recorder: StatementRecorder;
let explainer: pg.Client;
let tableRows: ReadonlyMap<string, number>;

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register('Ada');
  await seedRows(test.databaseUrl, ada);
  explainer = new pg.Client({ connectionString: test.databaseUrl });
  await explainer.connect();
  const counted = await execute<{ relname: string; rows: number }>(
    test.database,
    "select relname, reltuples::float8 as rows from pg_class where relkind = 'r'",
  );
  tableRows = new Map(counted.map((row) => [row.relname, row.rows]));
  recorder = new StatementRecorder();
}, 300_000);

afterAll(async () => {
  recorder.stop();
  await explainer.end();
  await test.close();
});

it('has a million rows to plan for', () => {
  expect(tableRows.get('seat_sessions')).toBeGreaterThan(990_000);
  expect(tableRows.get('events')).toBeGreaterThan(990_000);
});

it('reads and sorts no more than it needs, in every request and every job', { timeout: 120_000 }, async () => {
  await sendRequests();
  await runJobs();
  expect(recorder.statements.size).toBeGreaterThan(40);
  const faults: string[] = [];
  for (const statement of recorder.statements.values()) {
    for (const [kind, plan] of await explain(statement)) {
      const found = findPlanFaults(plan, (table) => tableRows.get(table) ?? 0, 2 * SEATS_OF_THE_BUSIEST);
      faults.push(...found.map((fault) => `${statement.cause}, ${kind} plan: ${fault}\n${statement.text}`));
    }
  }
  expect(faults.join('\n\n')).toBe('');
});

/** Planned once for these values, and once for any: the driver's prepared statements come to use either. */
async function explain({ text, values }: RecordedStatement): Promise<Array<readonly [string, PlanNode]>> {
  const own = await explainer.query(`explain (format json) ${text}`, [...values]);
  const generic = await explainer.query(`explain (generic_plan, format json) ${text}`);
  return [
    ['custom', own.rows[0]['QUERY PLAN'][0].Plan],
    ['generic', generic.rows[0]['QUERY PLAN'][0].Plan],
  ];
}

const BUSIEST_LICENSE = `lic_${'0'.repeat(26)}`;

async function sendRequests(): Promise<void> {
  for (const path of LISTS) {
    const separator = path.includes('?') ? '&' : '?';
    const first = await get(`${path}${separator}limit=2`);
    const cursor = first.body.pagination.next_cursor;
    if (cursor !== null) {
      await get(`${path}${separator}limit=2&cursor=${cursor}`);
    }
  }
  await get(`/v1/licenses/${BUSIEST_LICENSE}`);
  await get('/v1/me');
  await useProjects();
  await useOrganizations(test, recorder, ada);
  await get(`/v1/events/evt_${'0'.repeat(26)}`);
  await get('/v1/licenses/public-key');
  await get('/readyz');
  await useSeats();
  await useTokens();
  await useAccount();
}

async function get(path: string, token = ada.accessToken) {
  const answer = await recorder.during(`GET ${path}`, () => test.api.get(path, token));
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
}

async function post(path: string, token: string | undefined, body: unknown, headers: Record<string, string> = {}) {
  const answer = await recorder.during(`POST ${path}`, () => test.api.post(path, token, body, headers));
  expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 'a success']);
  return answer.body.data;
}

const BUSY_PROJECT = `proj_${'0'.repeat(26)}`;
const TIMES = ['created_after=2020-01-01T00:00:00Z', 'created_before=2036-01-01T00:00:00Z'];
const LISTS = [
  ...['created_at', '-created_at', 'expires_at', '-expires_at', 'product', '-product'].flatMap((sort) => [
    `/v1/licenses?sort=${sort}`,
    ...['status=active', 'status=expired', 'status=suspended', 'product=studio', 'expires_before=2036-01-01T00:00:00Z']
      .concat(TIMES)
      .map((filter) => `/v1/licenses?sort=${sort}&${filter}`),
  ]),
  ...['started_at', '-started_at', 'last_heartbeat', '-last_heartbeat'].flatMap((sort) => [
    `/v1/licenses/${BUSIEST_LICENSE}/sessions?sort=${sort}`,
    ...['status=active', 'status=released', 'status=timed_out', 'started_after=2020-01-01T00:00:00Z']
      .concat([`project_id=${BUSY_PROJECT}`, `user_id=usr_0${'0'.repeat(24)}7`, `hardware_id=hw_${'0'.repeat(31)}6`])
      .map((filter) => `/v1/licenses/${BUSIEST_LICENSE}/sessions?sort=${sort}&${filter}`),
  ]),
  ...['created', '-created'].flatMap((sort) => [
    `/v1/events?sort=${sort}`,
    ...TIMES.concat('type=license.seat.acquired', 'type=license.expired').map(
      (filter) => `/v1/events?sort=${sort}&${filter}`,
    ),
  ]),
  ...['created_at', '-created_at'].flatMap((sort) => [
    `/v1/auth/sessions?sort=${sort}`,
    ...TIMES.map((filter) => `/v1/auth/sessions?sort=${sort}&${filter}`),
  ]),
  ...['created_at', '-created_at', 'name', '-name'].flatMap((sort) => [
    `/v1/api-tokens?sort=${sort}`,
    ...TIMES.concat('status=active', 'status=expired').map((filter) => `/v1/api-tokens?sort=${sort}&${filter}`),
  ]),
  ...['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'].flatMap((sort) => [
    `/v1/projects?sort=${sort}`,
    ...TIMES.concat('status=active', 'status=archived').map((filter) => `/v1/projects?sort=${sort}&${filter}`),
  ]),
];

async function useSeats(): Promise<void> {
  const license = await test.issueLicense(ada.organizationId);
  const seat = (headers = {}) =>
    post(
      '/v1/licenses/acquire',
      ada.accessToken,
      { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}`, metadata: { host: 'a' } },
      headers,
    );
  const { session_id } = await seat();
  await post('/v1/licenses/heartbeat', ada.accessToken, { session_id });
  await post('/v1/licenses/release', ada.accessToken, { session_id });
  await post('/v1/licenses/release', ada.accessToken, { session_id });
  await seat({ 'idempotency-key': 'a key' });
}

async function useProjects(): Promise<void> {
  await get(`/v1/projects/${BUSY_PROJECT}/usage`);
  const { id } = await post('/v1/projects', ada.accessToken, { name: 'A project' });
  const call = (method: string, body?: unknown) =>
    recorder.during(`${method} /v1/projects/{id}`, () =>
      test.api.call(method, `/v1/projects/${id}`, { token: ada.accessToken, body }),
    );
  await get(`/v1/projects/${id}`);
  await call('PATCH', { slug: 'another-slug' });
  const license = await test.issueLicense(ada.organizationId);
  const seat = { license_key: license.key, hardware_id: `hw_${'f'.repeat(32)}`, metadata: { project_id: id } };
  const { session_id } = await post('/v1/licenses/acquire', ada.accessToken, seat);
  await post('/v1/licenses/release', ada.accessToken, { session_id });
  await call('DELETE');
}

async function useTokens(): Promise<void> {
  const { email, password } = ada;
  await post('/v1/auth/register', undefined, { email: 'new@example.com', password, name: 'New' });
  await recorder.during('a wrong password', () =>
    test.api.post('/v1/auth/login', undefined, { email, password: 'wrong password' }),
  );
  const login = await post('/v1/auth/login', undefined, { email, password });
  const next = await post('/v1/auth/refresh', undefined, { refresh_token: login.refresh_token });
  const created = await post('/v1/api-tokens', next.access_token, { name: 'a token', scopes: ['read:profile'] });
  await get(`/v1/api-tokens/${created.id}`, next.access_token);
  await post(`/v1/api-tokens/${created.id}/rotate`, next.access_token, {});
  await get('/v1/me', created.token);
  await recorder.during('DELETE /v1/api-tokens', () =>
    test.api.call('DELETE', `/v1/api-tokens/${created.id}`, { token: next.access_token }),
  );
  await post('/v1/auth/logout', next.access_token, {});
}

async function useAccount(): Promise<void> {
  const owner = await test.register('Owner');
  const { email, password: current_password } = owner;
  const token = owner.accessToken;
  const call = (method: string, path: string, body?: unknown) =>
    recorder.during(`${method} ${path}`, () => test.api.call(method, path, { token, body }));
  await call('PATCH', '/v1/me', { name: 'Another', password: 'a loom that weaves algebra', current_password });
  await post('/v1/auth/email/verification', token, undefined);
  const verification = (await test.mailsTo(email)).findLast((mail) => mail.kind === 'verify-email');
  await post('/v1/auth/email/verify', undefined, { token: verification?.code });
  const other = await post('/v1/auth/login', undefined, { email, password: 'a loom that weaves algebra' });
  const [{ id }] = (await get('/v1/auth/sessions', other.access_token)).body.data;
  await call('DELETE', `/v1/auth/sessions/${id}`);
  await post('/v1/auth/password/forgot', undefined, { email });
  for (const job of test.app.jobs.filter((each) => each.name === 'auth.answer-reset-requests')) {
    while (await recorder.during(`the job ${job.name}`, () => job.run())) {
      // There is more to do at once.
    }
  }
  const reset = (await test.mailsTo(email)).findLast((mail) => mail.kind === 'reset-password');
  await post('/v1/auth/password/reset', undefined, { token: reset?.code, password: 'another loom of algebra' });
}

async function runJobs(): Promise<void> {
  const noLongerAlive = `update seat_slots set reap_at = clock_timestamp() - interval '1 minute',
    deadline = clock_timestamp() + case when slot % 2 = 0 then 1 else -1 end * interval '1 minute'
    where organization_id = $1 and license_id = $2 and session_id is not null and slot <= 20`;
  await execute(test.database, noLongerAlive, [ada.organizationId, BUSIEST_LICENSE]);
  for (const job of test.app.jobs) {
    await recorder.during(`the job ${job.name}`, () => job.run());
  }
}
