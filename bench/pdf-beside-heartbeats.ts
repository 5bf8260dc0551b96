import { ask } from './rig/api.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure, median, percentile } from './rig/figure.ts';
import type { Target } from './rig/load-plan.ts';
import { PacedLoad } from './rig/paced-load.ts';
import { heartbeatPlan, type Installation, withInstallation } from './rig/stage.ts';
import { storeOpenInvoice } from './rig/stored-invoices.ts';
import { settle } from './rig/stored-seats.ts';
import { onDatabase } from './rig/stored-webhooks.ts';

const HEARTBEATS_PER_SECOND = 500;
/** As many PDFs are asked for at the same time, so that there is always one to draw. */
const READERS = 4;
/** Windows of this length draw a thousand PDFs in five rounds on two cores. */
const SHORTEST_WINDOW_SECONDS = 16;

/** Heartbeats at a fixed rate while invoices are drawn as fast as they can be; against the same while none is. */
export const pdfBesideHeartbeats: Bench = {
  name: 'pdf-beside-heartbeats',
  measure: (options) =>
    withInstallation(
      options,
      { licenses: 40, seatsPerLicense: 60, heldPerLicense: 50, endedPerLicense: 0 },
      (installation) => measureBeside(options, installation),
    ),
};

interface Window {
  beatsMs: number[];
  drawn: number;
}

async function measureBeside(options: BenchOptions, { service, accounts, licenses }: Installation): Promise<Figure[]> {
  const { target } = service;
  const [account] = accounts;
  if (account === undefined) {
    throw new Error('there is nobody to read invoices');
  }
  // Open ones are drawn again each time.
  const invoiceId = await onDatabase(service.databaseUrl, (client) => storeOpenInvoice(client, account.organizationId));
  const { email, password } = account;
  const login = await ask(target, 'POST', '/v1/auth/login', undefined, { email, password });
  const { data }: { data: { access_token: string } } = JSON.parse(login.body);
  await settle(service.databaseUrl);
  const beats = new PacedLoad();
  const order = {
    target,
    warmUpSeconds: options.warmUpSeconds,
    seconds: Math.max(SHORTEST_WINDOW_SECONDS, options.seconds),
    plan: heartbeatPlan(licenses, 2_000),
    connections: 32,
    perSecond: HEARTBEATS_PER_SECOND,
  };
  const drawDuring = async (work: Promise<number[]>): Promise<Window> => {
    const drawing = drawUntilStopped(target, `/v1/invoices/${invoiceId}/pdf`, data.access_token);
    try {
      return { beatsMs: await work, drawn: await drawing.stop() };
    } finally {
      await drawing.stop();
    }
  };
  try {
    const rounds = await inRounds(options, async () => ({
      quiet: { beatsMs: await beats.run(order), drawn: 0 },
      drawing: await drawDuring(beats.run(order)),
    }));
    return present(rounds);
  } finally {
    await beats.stop();
  }
}

/** Asks for the same PDF again and again; `stop` returns how many came. */
function drawUntilStopped(target: Target, path: string, token: string): { stop(): Promise<number> } {
  let isStopped = false;
  let drawn = 0;
  const read = async () => {
    while (!isStopped) {
      await ask(target, 'GET', path, token);
      drawn += 1;
    }
  };
  const readers = Promise.all(Array.from({ length: READERS }, read));
  // A refusal is thrown by stop.
  readers.catch(() => undefined);
  return {
    stop: async () => {
      isStopped = true;
      await readers;
      return drawn;
    },
  };
}

function present(rounds: ReadonlyArray<{ quiet: Window; drawing: Window }>): Figure[] {
  const drawn = rounds.reduce((sum, round) => sum + round.drawing.drawn, 0);
  const slowest = (of: 'quiet' | 'drawing') => median(rounds.map((round) => Math.max(...round[of].beatsMs))).toFixed(0);
  const notes = [
    `${drawn} PDFs were drawn in the measured windows`,
    `slowest heartbeat ${slowest('drawing')} ms, without ${slowest('quiet')} ms`,
  ];
  const figure = (name: string, share: number, bar: number | undefined) =>
    makeFigure(
      { name, bar, unit: 'ms', limitIs: 'the same without', isAtMost: true, notes: bar === undefined ? [] : notes },
      rounds.map(({ quiet, drawing }) => ({
        ours: percentile(drawing.beatsMs, share),
        limit: percentile(quiet.beatsMs, share),
      })),
    );
  return [
    figure('heartbeat p99, invoices are drawn', 0.99, 2),
    figure('heartbeat p50, invoices are drawn', 0.5, undefined),
  ];
}
