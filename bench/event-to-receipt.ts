import { setTimeout as sleep } from 'node:timers/promises';
import { keepMasterKey } from '../packages/server/src/security/index.ts';
import { BareDeliverer, captureDelivery } from './rig/bare-deliverer.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure, median, percentile } from './rig/figure.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import { PacedLoad } from './rig/paced-load.ts';
import { type Installation, seatPlan, withInstallation } from './rig/stage.ts';
import { onDatabase, storeEndpoints } from './rig/stored-webhooks.ts';
import { type WebhookReceiver, withReceivers } from './rig/webhook-receiver.ts';

/** Each seat that is taken and released makes two. */
const EVENTS_PER_SECOND = 200;

/**
 * The time from an event to its receipt, under a steady load of events that the API makes, each for one endpoint; against a bare
 * POST of the same bytes at the same rate.
 */
export const eventToReceipt: Bench = {
  name: 'event-to-receipt',
  measure: (options) =>
    withReceivers(({ receiver, settings }) =>
      withInstallation(
        options,
        { licenses: 1_000, seatsPerLicense: 10, heldPerLicense: 0, endedPerLicense: 0 },
        (installation) => measureReceipts(options, installation, receiver),
        undefined,
        settings,
      ),
    ),
};

async function measureReceipts(
  options: BenchOptions,
  { service, accounts, licenses }: Installation,
  receiver: WebhookReceiver,
): Promise<Figure[]> {
  const masterKey = await keepMasterKey(undefined, service.dataDir);
  const url = `https://localhost:${receiver.port}/hook`;
  const [endpoint] = await onDatabase(service.databaseUrl, (client) =>
    storeEndpoints(
      client,
      masterKey,
      accounts.map(({ organizationId }) => ({ organizationId, url })),
    ),
  );
  const plan = seatPlan(licenses, 1_000);
  const load = new PacedLoad();
  const undo: Array<() => Promise<void>> = [() => load.stop()];
  try {
    const ours = () => measureOurs(options, service.target, plan, load, receiver);
    await ours();
    const bare = new BareDeliverer(await captureDelivery(receiver, endpoint?.secret ?? ''));
    undo.push(() => bare.stop());
    const rounds = await inRounds(options, async () => ({
      ours: await ours(),
      bare: await measureBare(options, bare, receiver),
    }));
    const p95 = rounds.map((round) => percentile(round.ours, 0.95) - percentile(round.bare, 0.95));
    const notes = [
      `at ${EVENTS_PER_SECOND} events a second; from the event's created, which is before its commit`,
      `p95 lies ${median(p95).toFixed(1)} ms above that of the bare POST; Convoy has published 127 ms at this rate, on its own machines`,
    ];
    return [0.5, 0.95, 0.99].map((share, index) =>
      makeFigure(
        {
          name: `event to receipt, p${share * 100}`,
          unit: 'ms',
          limitIs: 'bare POST, sent to received',
          bar: undefined,
          notes: index === 0 ? notes : [],
        },
        rounds.map((round) => ({ ours: percentile(round.ours, share), limit: percentile(round.bare, share) })),
      ),
    );
  } finally {
    await Promise.all(undo.map((step) => step()));
  }
}

/** Milliseconds from each event's `created` to its receipt. */
async function measureOurs(
  { seconds, warmUpSeconds }: BenchOptions,
  target: { port: number; ca: string },
  plan: LoadPlan,
  load: PacedLoad,
  receiver: WebhookReceiver,
): Promise<number[]> {
  const perSecond = EVENTS_PER_SECOND / 2;
  await receiver.forget(true);
  await load.run({ target, plan, connections: 32, perSecond, warmUpSeconds, seconds });
  const expected = 2 * Math.round(perSecond * (seconds + warmUpSeconds));
  const report = await waitForArrivals(receiver, expected);
  return report.arrivals
    .map(({ created, atMs }) => ({ createdMs: Date.parse(created), atMs }))
    .toSorted((a, b) => a.createdMs - b.createdMs)
    .slice(2 * Math.round(perSecond * warmUpSeconds))
    .map(({ createdMs, atMs }) => atMs - createdMs);
}

async function waitForArrivals(receiver: WebhookReceiver, expected: number) {
  for (let left = 100; left > 0; left -= 1) {
    const report = await receiver.tell();
    if (report.count >= expected) {
      return report;
    }
    await sleep(100);
  }
  throw new Error(`fewer than ${expected} events were received within 10 s`);
}

/** Milliseconds from the beginning of each POST, before it is signed, to its receipt. */
async function measureBare(
  { seconds, warmUpSeconds }: BenchOptions,
  bare: BareDeliverer,
  receiver: WebhookReceiver,
): Promise<number[]> {
  await receiver.forget(true);
  const { sent } = await bare.run({
    kind: 'paced',
    perSecond: EVENTS_PER_SECOND,
    seconds: seconds + warmUpSeconds,
  });
  const { arrivals } = await waitForArrivals(receiver, sent.length);
  const arrivedAtMs = new Map(arrivals.map((each) => [each.delivery, each.atMs]));
  return sent
    .slice(Math.round(EVENTS_PER_SECOND * warmUpSeconds))
    .map(({ delivery, atMs }) => (arrivedAtMs.get(delivery) ?? Number.NaN) - atMs);
}
