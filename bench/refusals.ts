import { fileURLToPath } from 'node:url';
import { MOST_MACHINES } from '../packages/server/src/licensing/refusals/refusal-log.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure, median, percentile } from './rig/figure.ts';
import type { LoadGenerator, LoadWindow } from './rig/load.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import { PacedLoad } from './rig/paced-load.ts';
import { heartbeatPlan, type Installation, seatPlan, withGenerator, withInstallation } from './rig/stage.ts';
import { storeSeats } from './rig/stored-seats.ts';
import { onDatabase } from './rig/stored-webhooks.ts';

const SEATS = { licenses: 40, seatsPerLicense: 60, heldPerLicense: 50, endedPerLicense: 0 };
/** More than the service keeps apart in a minute. */
const MACHINES = 10_000;
const HEARTBEATS_PER_SECOND = 100;

/**
 * A storm of refused acquires on one license: what recording them costs, how many rows they leave, and what heartbeats wait
 * beside it. The cost is compared with a second service that records none.
 */
export const refusals: Bench = {
  name: 'refusals',
  measure: (options) =>
    withInstallation(options, SEATS, (recording) =>
      withInstallation(
        options,
        SEATS,
        (silent) => withGenerator(options, (generator) => measureStorm(options, generator, recording, silent)),
        undefined,
        { NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${WITHOUT_REFUSALS}` },
      ),
    ),
};

const WITHOUT_REFUSALS = fileURLToPath(new URL('programs/without-refusals.ts', import.meta.url));

async function measureStorm(
  options: BenchOptions,
  generator: LoadGenerator,
  recording: Installation,
  silent: Installation,
): Promise<Figure[]> {
  const [ours, other] = [await createSide(recording), await createSide(silent)];
  const beats = new PacedLoad();
  try {
    const startedAtMs = Date.now();
    const rounds = await inRounds(options, async () => ({
      refused: {
        ours: await generator.measure(ours.service.target, ours.storm),
        limit: await generator.measure(other.service.target, other.storm),
      },
      granted: {
        ours: await generator.measure(ours.service.target, ours.seats),
        limit: await generator.measure(other.service.target, other.seats),
      },
      waits: {
        ours: await measureBeside(options, generator, beats, ours, ours.storm),
        limit: await measureBeside(options, generator, beats, other, other.storm),
      },
    }));
    const minutes = Math.ceil((Date.now() - startedAtMs) / 60_000) + 1;
    const { rows, counted } = await countRows(ours);
    const perSecond = median(rounds.map(({ refused }) => refused.ours.perSecond));
    const storm = `${perSecond.toFixed(0)} refused acquires a second; ${counted.toLocaleString('en-US')} in all`;
    const about = { limitIs: 'the same service without recording', isAtMost: true };
    return [
      makeFigure(
        {
          ...about,
          name: 'a refused acquire',
          unit: 'ms of processor time',
          bar: 1.02,
          notes: [storm, generator.note],
        },
        rounds.map(({ refused }) => ({ ours: costOf(refused.ours), limit: costOf(refused.limit) })),
      ),
      makeFigure(
        { ...about, name: 'acquire + release', unit: 'ms of processor time', bar: 1.02 },
        rounds.map(({ granted }) => ({ ours: costOf(granted.ours), limit: costOf(granted.limit) })),
      ),
      makeFigure(
        { ...about, name: 'heartbeat p95 beside refused acquires', unit: 'ms', bar: undefined },
        rounds.map(({ waits }) => waits),
      ),
      makeFigure(
        {
          name: 'rows that the storm left',
          unit: 'rows',
          limitIs: `${MOST_MACHINES + 1} in each of ${minutes} minutes`,
          bar: 1,
          isAtMost: true,
        },
        [{ ours: rows, limit: minutes * (MOST_MACHINES + 1) }],
      ),
    ];
  } finally {
    await beats.stop();
  }
}

interface Side extends Installation {
  storm: LoadPlan;
  seats: LoadPlan;
  beats: LoadPlan;
}

/** With one license whose only seat is taken. */
async function createSide(installation: Installation): Promise<Side> {
  const { service, accounts, licenses } = installation;
  const [account] = accounts;
  if (account === undefined) {
    throw new Error('no account was registered');
  }
  const full = { licenses: 1, seatsPerLicense: 1, heldPerLicense: 1, endedPerLicense: 0 };
  const [license] = await storeSeats(service.databaseUrl, account, full);
  return {
    ...installation,
    storm: { kind: 'refusals', key: license?.key ?? '', token: account.token, machines: MACHINES },
    seats: seatPlan(licenses, 1_000),
    beats: heartbeatPlan(licenses, 2_000),
  };
}

/** The 95th percentile of heartbeats at a fixed rate while the storm goes on. */
async function measureBeside(
  options: BenchOptions,
  generator: LoadGenerator,
  paced: PacedLoad,
  { service: { target }, beats }: Side,
  storm: LoadPlan,
): Promise<number> {
  const { seconds, warmUpSeconds } = options;
  const [tookMs] = await Promise.all([
    paced.run({ target, plan: beats, connections: 16, perSecond: HEARTBEATS_PER_SECOND, seconds, warmUpSeconds }),
    generator.run(target, storm, seconds),
  ]);
  return percentile(tookMs, 0.95);
}

const costOf = ({ cost }: LoadWindow) => cost.node + cost.postgres;

/** After the next write, which comes every two seconds. */
async function countRows({ service }: Side): Promise<{ rows: number; counted: number }> {
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return onDatabase(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      'select count(*)::int as rows, coalesce(sum(count), 0)::float8 as counted from seat_refusals',
    );
    return rows[0];
  });
}
