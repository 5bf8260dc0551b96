import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { HttpsClient } from './https-client.ts';
import { plantRenewals } from './plant-renewals.ts';
import { scaled } from './scale.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { FragileWorld } from './world.ts';

const SUBSCRIPTIONS = scaled(400, 5_000);
/** How often each kind of process is killed on the way. */
const ROUNDS = scaled(1, 4);

/**
 * The number of subscriptions per organization: one has two fifths of all, one a tenth, and a thousand have one each.
 */
const SIZES = [
  SUBSCRIPTIONS * 0.4,
  SUBSCRIPTIONS * 0.1,
  ...Array.from({ length: 5 }, () => SUBSCRIPTIONS * 0.02),
  ...Array.from({ length: SUBSCRIPTIONS * 0.04 }, () => 5),
  ...Array.from({ length: SUBSCRIPTIONS * 0.2 }, () => 1),
];

/** The prefix of their identifiers, unlike those that the service creates. */
const PLANTED = 'org_0000000000000000%';

let world: FragileWorld;
let settings: Array<Record<string, string>>;
let servers: ServerProcess[];
/** How many payments were in progress when all were killed. */
let claimsLeft: number;
/** When the planted subscriptions are due, in milliseconds since 1970. */
let dueAtMs: number;

beforeEach(async () => {
  world = await FragileWorld.start();
  settings = await Promise.all(['one', 'two'].map((name) => world.settings(name)));
  claimsLeft = 0;
  const [first = {}] = settings;
  const server = await startServer(first);
  servers = [server];
  const client = new HttpsClient([await readAuthority(server.dataDir)]);
  const baseUrl = `https://127.0.0.1:${first.SEATHOLD_SANDBOX_PORT}`;
  servers = [server, await startServer(settings[1] ?? {})];
  const planting = { sizes: SIZES, dueInSeconds: 5 };
  dueAtMs = await plantRenewals(world.sandboxUrl, client, baseUrl, planting);
  await client.close();
});
afterEach(() => world.close());

it(`two processes renew ${SUBSCRIPTIONS} subscriptions due at one instant once each`, async () => {
  await untilDone(0.01);
  const firstAfterMs = Date.now() - dueAtMs;
  await untilSettled();
  const seconds = (Date.now() - dueAtMs) / 1_000;
  tell(
    `${SUBSCRIPTIONS} renewals of ${SIZES.length} organizations: the first after ${firstAfterMs} ms, all after ${seconds.toFixed(1)} s`,
  );
  await requireEachOnce();
  expect(servers.flatMap((server) => server.faults)).toEqual([]);
});

it(`the service renews ${SUBSCRIPTIONS} subscriptions due at one instant once each, while its processes and PostgreSQL are killed`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const share = (step: number) => ((round * 3 + step) * 0.8) / (ROUNDS * 3);
    await untilDone(share(0.5));
    await killServers([round % 2]);
    await untilDone(share(1.5));
    world.killPostgres();
    await untilDone(share(2.5));
    await killServers([0, 1]);
  }
  const startedAtMs = Date.now();
  await untilSettled();
  const [inAll, afterwards] = [dueAtMs, startedAtMs].map((sinceMs) => ((Date.now() - sinceMs) / 1_000).toFixed(1));
  tell(
    `${SUBSCRIPTIONS} renewals through ${3 * ROUNDS} kills: all after ${inAll} s, ${afterwards} s after the last start, before which ${claimsLeft} payments were claimed`,
  );
  await requireEachOnce();
});

/** kill -9, and restarts them. */
async function killServers(places: readonly number[]): Promise<void> {
  await Promise.all(places.map((place) => servers[place]?.end('SIGKILL')));
  if (places.length === servers.length) {
    claimsLeft = await countClaims();
    await expireClaims();
  }
  await Promise.all(
    places.map(async (place) => {
      servers[place] = await startServer(settings[place] ?? {});
    }),
  );
}

/** No process is left that works on anything. In the short run, the effect of waiting is brought about immediately. */
async function expireClaims(): Promise<void> {
  if (scaled(true, false)) {
    await query('update payments set claimed_until = clock_timestamp() where settled_at is null');
  }
}

/** Payments in progress, as far as the other processes can know. */
async function countClaims(): Promise<number> {
  const [row] = await query<Count>(
    'select count(*)::int as count from payments where settled_at is null and claimed_until > clock_timestamp()',
  );
  return row?.count ?? 0;
}

interface Count {
  count: number;
}

/** PostgreSQL answers nobody while it restarts. */
async function query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  for (const deadline = performance.now() + AWAY_MS; ; await sleep(50)) {
    try {
      return await execute<Row>(world.sandboxDatabase, text, values);
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

const AWAY_MS = 300_000;

/** Waits until this share of the renewals is written. */
async function untilDone(share: number): Promise<void> {
  const renewals = `select count(*)::int as count from invoices where reason = 'renewal'`;
  await expect
    .poll(async () => (await query<Count>(renewals))[0]?.count, { interval: 20 })
    .toBeGreaterThanOrEqual(share * SUBSCRIPTIONS);
}

/** Waits until all of them are paid, and nothing is in progress. */
async function untilSettled(): Promise<void> {
  const left = `select (select count(*) from subscriptions where next_action_at <= clock_timestamp())
    + (select count(*) from payments where settled_at is null) as count`;
  await expect.poll(async () => Number((await query<Count>(left))[0]?.count), { interval: 100 }).toBe(0);
}

/**
 * Each was renewed once: one invoice, one charge, one payment, one event of each kind, one more month of its license.
 */
async function requireEachOnce(): Promise<void> {
  const [found] = await query(FOUND, [PLANTED]);
  expect(found).toEqual({
    invoices: SUBSCRIPTIONS,
    invoiced: SUBSCRIPTIONS,
    paid: SUBSCRIPTIONS,
    charges: { succeeded: SUBSCRIPTIONS },
    payments: { succeeded: SUBSCRIPTIONS },
    extended: SUBSCRIPTIONS,
    events: { 'invoice.created': SUBSCRIPTIONS, 'invoice.paid': SUBSCRIPTIONS, 'subscription.updated': SUBSCRIPTIONS },
    announced: SUBSCRIPTIONS,
    organizations_with_gaps: 0,
  });
  await requireInvariants(world.sandboxDatabase);
}

/** $1: which organizations were planted. */
const FOUND = `with renewal as materialized (
    select i.organization_id, i.id, i.subscription_id, i.status, i.period_index
    from invoices i where i.reason = 'renewal' and i.organization_id like $1
  ), told as materialized (
    select e.type, e.object ->> 'invoice_id' as invoice_id from events e
    where e.organization_id like $1 and e.type like 'invoice.%'
  )
  select (select count(*)::int from renewal) as invoices,
    (select count(distinct subscription_id)::int from renewal where period_index = 1) as invoiced,
    (select count(*)::int from renewal where status = 'paid') as paid,
    (select jsonb_object_agg(status, count) from (
      select status, count(*) from test_charges where purpose = 'renewal' group by status) c) as charges,
    (select jsonb_object_agg(status, count) from (
      select status, count(*) from payments where purpose = 'renewal' group by status) p) as payments,
    (select count(*)::int from subscriptions s join plans p on p.id = s.plan_id
      join licenses l on l.organization_id = s.organization_id and l.subscription_id = s.id
      where s.organization_id like $1 and s.period_index = 1 and s.status = 'active' and l.renews and l.state = 'active'
        and s.current_period_start = (s.anchor at time zone 'UTC' + interval '1 month') at time zone 'UTC'
        and s.current_period_end = (s.anchor at time zone 'UTC' + interval '2 months') at time zone 'UTC'
        and l.expires_at = s.current_period_end + p.grace_seconds * interval '1 second') as extended,
    (select jsonb_object_agg(type, count) from (
      select t.type, count(*) from told t join renewal r on r.id = t.invoice_id group by t.type
      union all select 'subscription.updated', count(*) from events
        where organization_id like $1 and type = 'subscription.updated') e) as events,
    (select count(*)::int from (
      select r.id from renewal r join told t on t.invoice_id = r.id group by r.id
      having array_agg(t.type order by t.type) = array['invoice.created', 'invoice.paid']) a) as announced,
    (select count(*)::int from (
      select a.organization_id from billing_accounts a join invoices i on i.organization_id = a.organization_id
      where a.organization_id like $1 group by a.organization_id, a.last_invoice_number
      having (count(*), min(i.sequence), max(i.sequence)) <> (a.last_invoice_number, 1, a.last_invoice_number)) g
    ) as organizations_with_gaps`;

function tell(figures: string): void {
  process.stdout.write(`  ${figures}\n`);
}
