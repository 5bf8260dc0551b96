import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { type BarePeer, startBarePeer } from './rig/bare-peer.ts';
import { type Bench, type BenchOptions, type Figure, makeFigure, type Round } from './rig/figure.ts';
import type { LoadGenerator } from './rig/load.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import { residentMegabytes } from './rig/resident-memory.ts';
import { startService } from './rig/service.ts';
import { heartbeatPlan, type Installation, type Stage, seatPlan, withStage } from './rig/stage.ts';

/** Resident memory of the Node.js process, idle and under load, and the start on a folder with data in it; beside the bare handler. */
export const memoryAndStart: Bench = {
  name: 'memory-and-start',
  measure: (options) =>
    withStage(
      options,
      { licenses: 1_000, seatsPerLicense: 20, heldPerLicense: 10, endedPerLicense: 0 },
      async (stage) => {
        const { starts, stops } = await measureStarts(options, stage);
        const memory = await measureMemory(options, stage);
        return [
          ...memory,
          makeFigure({ ...ABOUT, name: 'start to ready', unit: 'ms' }, starts),
          makeFigure(STOP, stops),
        ];
      },
    ),
};

const ABOUT = { limitIs: 'bare Fastify process', bar: undefined };

/** The worst case: the request has the whole time that running requests have. */
const STOP = {
  name: 'SIGTERM to the end, beside a request that never ends',
  unit: 'ms',
  limitIs: 'the 10 s that are promised',
  bar: 1,
  isAtMost: true,
};

/** Stops the service and starts it again on its folder, in turns with the peer; the last one stays for the next bench. */
async function measureStarts(options: BenchOptions, stage: Stage): Promise<{ starts: Round[]; stops: Round[] }> {
  const starts: Round[] = [];
  const stops: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const endless = await beginEndlessRequest(stage);
    const toldAtMs = performance.now();
    await stage.service.stop();
    stops.push({ ours: performance.now() - toldAtMs, limit: 10_000 });
    endless.destroy();
    // The object is kept current, since the code that set the stage also stops it.
    Object.assign(stage.service, await startService(stage.service.dataDir, options.profileDir));
    const peer = await startPeerLike(stage);
    starts.push({ ours: stage.service.startMs, limit: peer.startMs });
    await peer.stop();
  }
  return { starts, stops };
}

/** A request that is never completed. */
async function beginEndlessRequest({ service }: Stage): Promise<TLSSocket> {
  const { port, ca } = service.target;
  const socket = connect({ host: 'localhost', port, ca });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  const head =
    'POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
  await new Promise((resolve) => socket.write(`${head}{`, resolve));
  return socket;
}

function startPeerLike({ service }: Installation): Promise<BarePeer> {
  const answers = [{ method: 'GET' as const, url: '/v1/me', status: 200, rawHeaders: [], body: '{}' }];
  return startBarePeer({ ...service.tls, answers }, service.target.ca);
}

async function measureMemory(options: BenchOptions, stage: Stage): Promise<Figure[]> {
  const { service, peer, generator, accounts, licenses } = stage;
  await sleep(SETTLE_MS);
  const idle = { ours: residentMegabytes(service.target.pid), limit: residentMegabytes(peer.target.pid) };
  const plans: LoadPlan[] = [
    heartbeatPlan(licenses, 10_000),
    seatPlan(licenses, 1_000),
    { kind: 'me', tokens: accounts.map((account) => account.token) },
  ];
  const samples = await loadFor(options.minutes * 60_000, generator, stage, plans);
  await generator.run(peer.target, plans[0] ?? { kind: 'me', tokens: [] });
  const loaded = { ours: residentMegabytes(service.target.pid), limit: residentMegabytes(peer.target.pid) };
  const notes = [
    `after ${options.minutes} min of heartbeats, seats and GET /v1/me in turns; the most on the way was ${Math.max(...samples)} MB`,
    `every tenth of the way: ${tenths(samples).join(', ')} MB`,
  ];
  return [
    makeFigure({ ...ABOUT, name: 'resident memory, idle', unit: 'MB' }, [idle]),
    makeFigure({ ...ABOUT, name: 'resident memory, after load', unit: 'MB', notes }, [loaded]),
  ];
}

/** Answers the resident memory after each window of load. */
async function loadFor(lastsMs: number, generator: LoadGenerator, { service }: Stage, plans: readonly LoadPlan[]) {
  const endsAtMs = performance.now() + lastsMs;
  const samples: number[] = [];
  while (performance.now() < endsAtMs) {
    const plan = plans[samples.length % plans.length];
    if (plan !== undefined) {
      await generator.run(service.target, plan, WINDOW_SECONDS);
    }
    samples.push(residentMegabytes(service.target.pid));
  }
  return samples;
}

const SETTLE_MS = 5_000;
const WINDOW_SECONDS = 5;

function tenths(samples: readonly number[]): number[] {
  const every = Math.max(1, Math.floor(samples.length / 10));
  return samples.filter((_, index) => index % every === every - 1);
}
