import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { MovedClock } from '../harness/two-factor.ts';
import { startReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import { findPlanFaults, indexesOf, type PlanNode } from './judge-plan.ts';
import { listRequests } from './list-requests.ts';
import { type RecordedStatement, StatementRecorder } from './record-statements.ts';
import { RecordedApi } from './recorded-api.ts';
import { SEATS_OF_THE_BUSIEST, seedRows } from './seed-rows.ts';
import { inLargest } from './seed-values.ts';
import { useAccount, useAccountEnd, useCookie, useTokens, useTwoFactor } from './use-accounts.ts';
import { useBillingMethods } from './use-billing-methods.ts';
import { useCustomers } from './use-customers.ts';
import { useInvoices } from './use-invoices.ts';
import { useOauth } from './use-oauth.ts';
import { useOperator, useStaff } from './use-operator.ts';
import { useOrganizations } from './use-organizations.ts';
import { usePayments } from './use-payments.ts';
import { usePlans } from './use-plans.ts';
import { useProviderWebhook } from './use-provider-webhook.ts';
import { useSandboxClock } from './use-sandbox-clock.ts';
import { useProjects, useRefusals, useSeats } from './use-seats.ts';
import { useSubscriptions } from './use-subscriptions.ts';
import { useUsage } from './use-usage.ts';
import { BUSIEST_ENDPOINT, useWebhooks } from './use-webhooks.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let recorder: StatementRecorder;
let explainer: pg.Client;
let tableRows: ReadonlyMap<string, number>;
let api: RecordedApi;
const clock = new MovedClock();
/** The busiest organization has far more than today's limits allow. */
const NO_CAPS = { SEATHOLD_SANDBOX_MAX_SUBSCRIPTIONS: '1000000', SEATHOLD_SANDBOX_MAX_SEATS: '100000000' };

beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { ...receiver.settings, ...NO_CAPS };
  test = await startTestApp({ environment: 'sandbox', clock, hasInventedEvents: true, settings });
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
  api = new RecordedApi(test, recorder);
  await sendRequests();
  await runJobs();
  // As autovacuum does in a running service. Otherwise the estimate for rows that were just inserted is left to chance.
  await explainer.query('vacuum analyze webhook_planned_attempts, outgoing_mails');
});

afterAll(async () => {
  recorder.stop();
  await explainer.end();
  await test.close();
  await receiver.close();
});

it('the planner assumes the rows of a large installation', () => {
  expect(tableRows.get('seat_sessions')).toBeGreaterThan(inLargest(990_000));
  expect(tableRows.get('events')).toBeGreaterThan(inLargest(990_000));
});

it('every request of the API is sent, with each list sorted and filtered in every way', () => {
  expect(api.unanswered()).toEqual([]);
});

it('every request and every job reads and sorts no more than it needs', async () => {
  expect(recorder.statements.size).toBeGreaterThan(200);
  const faults: string[] = [];
  for (const statement of recorder.statements.values()) {
    for (const [kind, plan] of await explain(statement)) {
      const found = findPlanFaults(plan, (table) => tableRows.get(table) ?? 0, 2 * SEATS_OF_THE_BUSIEST);
      faults.push(...found.map((fault) => `${statement.cause}, ${kind} plan: ${fault}\n${statement.text}`));
    }
  }
  expect(faults.join('\n\n')).toBe('');
});

it('offline seats whose deadlines an outage moved are found without reading the others', async () => {
  const used = await indexesUsed('licensing.keep-offline-ends');
  expect(used.flat()).toContain('seat_slots_offline_moved');
});

it('the seats and the sessions of a project are found by indexes that contain nothing else', async () => {
  expect(await indexesUsed('/projects/', '/usage')).toEqual([expect.arrayContaining(['seat_slots_of_project'])]);
  // Sorted by the start in both directions, on the first page and the next.
  const byStart = await indexesUsed('/sessions?', 'project_id', 'started_at');
  expect(byStart.length).toBeGreaterThanOrEqual(4);
  for (const used of byStart) {
    expect(used).toContain('seat_sessions_by_project');
  }
});

/**
 * The indexes that the generic plans use: one list per statement that such a request sent first and that reads seats.
 */
async function indexesUsed(...parts: string[]): Promise<string[][]> {
  const caused = [...recorder.statements.values()].filter(
    ({ cause, text }) => parts.every((part) => cause.includes(part)) && text.includes('seat_slots'),
  );
  const used: string[][] = [];
  for (const statement of caused) {
    const plans = await explain(statement);
    used.push(...plans.filter(([kind]) => kind === 'generic').map(([, plan]) => indexesOf(plan)));
  }
  return used;
}

/** Planned once for these values, and once for any: the driver's prepared statements can use either plan. */
async function explain({ text, values }: RecordedStatement): Promise<Array<readonly [string, PlanNode]>> {
  const own = await explainer.query(`explain (format json) ${text}`, [...values]);
  const generic = await explainer.query(`explain (generic_plan, format json) ${text}`);
  return [
    ['custom', own.rows[0]['QUERY PLAN'][0].Plan],
    ['generic', generic.rows[0]['QUERY PLAN'][0].Plan],
  ];
}

const BUSIEST_LICENSE = `lic_${'0'.repeat(26)}`;
const BUSY_PROJECT = `proj_${'0'.repeat(26)}`;

async function sendRequests(): Promise<void> {
  const token = ada.accessToken;
  const ids = { license_id: BUSIEST_LICENSE, organization_id: ada.organizationId, webhook_id: BUSIEST_ENDPOINT };
  const operator = (await makeOperatorToken(test)).token;
  for (const path of listRequests(test.service.routes, ids)) {
    const who = path.startsWith('/v1/operator/') ? operator : token;
    const first = await api.get(path, who);
    const cursor = first.body.pagination.next_cursor;
    if (cursor !== null) {
      await api.get(`${path}&cursor=${cursor}`, who);
    }
  }
  const places = [`licenses/${BUSIEST_LICENSE}`, 'me', `events/evt_${'0'.repeat(26)}`, 'event-types'];
  for (const place of [...places, 'licenses/public-key']) {
    await api.get(`/v1/${place}`, token);
  }
  await api.get('/.well-known/jwks.json', token);
  await api.get('/.well-known/license-revocations.jwt', token);
  await api.get('/readyz', token);
  await api.get('/metrics', token);
  await useProjects(test, api, ada, BUSY_PROJECT);
  await useOrganizations(test, api, ada);
  await useSeats(test, api, ada);
  await useRefusals(test, api, ada, operator, BUSIEST_LICENSE);
  await useTokens(test, api, ada);
  await useAccount(test, api);
  await useCookie(test, api);
  await useAccountEnd(test, api, ada);
  await useTwoFactor(test, api, clock);
  await useOauth(test, api, ada);
  await usePlans(test, api, token);
  await useInvoices(api, token);
  await useBillingMethods(test, api);
  await useSubscriptions(test, api, ada);
  await useProviderWebhook(test, api, ada);
  await usePayments(test, recorder);
  await useOperator(api, operator, ada);
  await useStaff(api, operator, ada);
  await useCustomers(test, api, clock, operator, ada);
  await useUsage(test, api, ada);
  await useWebhooks(test, api, ada, receiver.url());
  await useSandboxClock(test, api, receiver.url('/clock'));
}

async function runJobs(): Promise<void> {
  const noLongerAlive = `update seat_slots set reap_at = clock_timestamp() - interval '1 minute',
    deadline = clock_timestamp() + case when slot % 2 = 0 then 1 else -1 end * interval '1 minute'
    where organization_id = $1 and license_id = $2 and session_id is not null and slot <= 20`;
  await execute(test.database, noLongerAlive, [ada.organizationId, BUSIEST_LICENSE]);
  for (const job of test.service.jobs) {
    await recorder.during(`the job ${job.name}`, () => job.run());
  }
}
