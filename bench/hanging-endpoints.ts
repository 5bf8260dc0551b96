import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { keepMasterKey } from '../packages/server/src/security/index.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure, median, percentile } from './rig/figure.ts';
import { PacedLoad } from './rig/paced-load.ts';
import { processorMs } from './rig/processor-time.ts';
import { residentMegabytes } from './rig/resident-memory.ts';
import { heartbeatPlan, type Installation, seatPlan, withInstallation } from './rig/stage.ts';
import { settle } from './rig/stored-seats.ts';
import {
  onDatabase,
  type StoredEndpoint,
  storeBacklog,
  storeEndpoints,
  storeOrganizations,
} from './rig/stored-webhooks.ts';
import { HANGING_HOST, type Receivers, withReceivers } from './rig/webhook-receiver.ts';

const HEARTBEATS_PER_SECOND = 500;
/** Each makes two events, for an endpoint that answers at once. */
const SEATS_PER_SECOND = 5;
/** Attempts at endpoints that hang end after 15 s and the next ones begin, so that a shorter window could miss that. */
const SHORTEST_WINDOW_SECONDS = 16;

/**
 * Heartbeats at a fixed rate while very many endpoints accept connections and never answer, each with attempts that are overdue;
 * against the same while these endpoints are paused.
 */
export const hangingEndpoints: Bench = {
  name: 'hanging-endpoints',
  measure: (options) =>
    withReceivers((receivers) =>
      withInstallation(
        options,
        { licenses: 40, seatsPerLicense: 60, heldPerLicense: 50, endedPerLicense: 0 },
        ({ service, ...installation }) =>
          onDatabase(service.databaseUrl, (client) =>
            measureHanging(options, { service, ...installation }, client, receivers),
          ),
        undefined,
        receivers.settings,
      ),
    ),
};

async function measureHanging(
  options: BenchOptions,
  installation: Installation,
  client: pg.Client,
  receivers: Receivers,
): Promise<Figure[]> {
  const { service, accounts } = installation;
  const endpoints = await storeHanging(options, installation, client, receivers);
  const healthy = await storeEndpoints(client, await keepMasterKey(undefined, service.dataDir), [
    {
      organizationId: accounts[0]?.organizationId ?? '',
      url: `https://localhost:${receivers.receiver.port}/hook`,
    },
  ]);
  await settle(service.databaseUrl);
  const [beats, seats] = [new PacedLoad(), new PacedLoad()];
  const measure = async () => {
    // Like a new endpoint, so that its first event takes the lane of those that hang.
    await client.query(`${UPDATE_STATES} set is_cautious = true ${OF_ENDPOINTS}`, keysOf(healthy));
    return measureWindow(options, installation, receivers, beats, seats);
  };
  try {
    const rounds = await inRounds(options, async () => {
      await pause(client, endpoints, receivers);
      const quiet = await measure();
      await activate(client, endpoints, receivers);
      return { quiet, hanging: await measure() };
    });
    await pause(client, endpoints, receivers);
    return present(rounds);
  } finally {
    await Promise.all([beats.stop(), seats.stop()]);
  }
}

type Window = Awaited<ReturnType<typeof measureWindow>>;

function present(rounds: ReadonlyArray<{ quiet: Window; hanging: Window }>): Figure[] {
  const middle = (of: (round: { quiet: Window; hanging: Window }) => number) => median(rounds.map(of)).toFixed(0);
  const notes = [
    `${middle((round) => round.hanging.open)} attempts hung at the end of a window, ${middle((round) => round.hanging.opened)} began in it`,
    `processor time of the service in a window: ${middle((round) => round.hanging.spentMs)} ms, without ${middle((round) => round.quiet.spentMs)} ms`,
    `slowest heartbeat ${middle((round) => Math.max(...round.hanging.beatsMs))} ms, without ${middle((round) => Math.max(...round.quiet.beatsMs))} ms`,
    `slowest event of a healthy endpoint ${Math.max(...rounds.flatMap((round) => round.hanging.lagsMs)).toFixed(0)} ms (promised: below 1,000 ms)`,
  ];
  const figure = (name: string, bar: number | undefined, of: (window: Window) => number, unit = 'ms') =>
    makeFigure(
      { name, bar, unit, limitIs: 'the same without', isAtMost: true, notes: bar === undefined ? [] : notes },
      rounds.map(({ quiet, hanging }) => ({ ours: of(hanging), limit: of(quiet) })),
    );
  return [
    figure('heartbeat p99, endpoints hang', 1.3, (window) => percentile(window.beatsMs, 0.99)),
    figure('heartbeat p50, endpoints hang', undefined, (window) => percentile(window.beatsMs, 0.5)),
    figure('event to receipt p99, others hang', undefined, (window) => percentile(window.lagsMs, 0.99)),
    figure('resident memory, endpoints hang', undefined, (window) => window.megabytes, 'MB'),
  ];
}

async function storeHanging(
  { hanging, overdue }: BenchOptions,
  { service }: Installation,
  client: pg.Client,
  receivers: Receivers,
): Promise<StoredEndpoint[]> {
  const masterKey = await keepMasterKey(undefined, service.dataDir);
  const organizations = await storeOrganizations(client, Math.ceil(hanging / 10));
  const wanted = Array.from({ length: hanging }, (_, number) => ({
    organizationId: organizations[number % organizations.length] ?? '',
    url: `https://e${number}.${HANGING_HOST}:${receivers.hanging.port}/hook`,
  }));
  const endpoints = await storeEndpoints(client, masterKey, wanted);
  await client.query(`${UPDATE_STATES} set status = 'paused' ${OF_ENDPOINTS}`, keysOf(endpoints));
  await storeBacklog(client, endpoints, { finished: 0, overdue });
  return endpoints;
}

/** Nothing is claimed for them from now on, and what is under way breaks off. */
async function pause(client: pg.Client, endpoints: readonly StoredEndpoint[], { hanging }: Receivers): Promise<void> {
  await client.query(`${UPDATE_STATES} set status = 'paused', turn_at = null ${OF_ENDPOINTS}`, keysOf(endpoints));
  await sleep(500);
  await waitForOpen(hanging, (open) => open === 0, true);
  await sleep(1_000);
}

async function activate(
  client: pg.Client,
  endpoints: readonly StoredEndpoint[],
  { hanging }: Receivers,
): Promise<void> {
  await client.query(
    `${UPDATE_STATES} set status = 'active', turn_at = clock_timestamp(), is_cautious = true, in_flight_limit = 1,
      failures_in_row = 0, failing_since = null ${OF_ENDPOINTS}`,
    keysOf(endpoints),
  );
  await waitForOpen(hanging, (open) => open >= endpoints.length * 0.95, false);
}

async function waitForOpen(
  hanging: Receivers['hanging'],
  isEnough: (open: number) => boolean,
  hangsUp: boolean,
): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    const { open } = await (hangsUp ? hanging.hangUp() : hanging.tell());
    if (isEnough(open)) {
      return;
    }
    await sleep(100);
  }
  const { open } = await hanging.tell();
  throw new Error(`after a minute ${open} attempts hang`);
}

async function measureWindow(
  options: BenchOptions,
  { service, accounts, licenses }: Installation,
  { receiver, hanging }: Receivers,
  beats: PacedLoad,
  seats: PacedLoad,
) {
  const { target } = service;
  const seconds = Math.max(SHORTEST_WINDOW_SECONDS, options.seconds);
  const paced = { target, warmUpSeconds: options.warmUpSeconds, seconds };
  const own = licenses.filter(({ account }) => account === accounts[0]);
  await receiver.forget(true);
  const before = await hanging.forget();
  const spentBefore = processorMs(target.pid);
  const [beatsMs] = await Promise.all([
    beats.run({ ...paced, plan: heartbeatPlan(licenses, 2_000), connections: 32, perSecond: HEARTBEATS_PER_SECOND }),
    seats.run({ ...paced, plan: seatPlan(own, 1_000), connections: 4, perSecond: SEATS_PER_SECOND }),
  ]);
  const expected = 2 * Math.round(SEATS_PER_SECOND * (seconds + paced.warmUpSeconds));
  const { arrivals } = await waitForArrivals(receiver, expected);
  const { open, opened } = await hanging.tell();
  return {
    beatsMs,
    lagsMs: arrivals.map(({ created, atMs }) => atMs - Date.parse(created)),
    open,
    opened: opened - before.opened,
    spentMs: processorMs(target.pid) - spentBefore,
    megabytes: residentMegabytes(target.pid),
  };
}

async function waitForArrivals(receiver: Receivers['receiver'], expected: number) {
  for (let left = 300; left > 0; left -= 1) {
    const report = await receiver.tell();
    if (report.count >= expected) {
      return report;
    }
    await sleep(100);
  }
  const { count } = await receiver.tell();
  throw new Error(`the healthy endpoint got ${count} of ${expected} events within 30 s`);
}

const UPDATE_STATES = 'update webhook_endpoint_states s';
const OF_ENDPOINTS = `from unnest($1::text[], $2::text[]) as e (organization_id, id)
  where s.organization_id = e.organization_id and s.endpoint_id = e.id`;

function keysOf(endpoints: readonly StoredEndpoint[]): [string[], string[]] {
  return [endpoints.map((each) => each.organizationId), endpoints.map((each) => each.id)];
}
