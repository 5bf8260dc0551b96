import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { keepMasterKey } from '../packages/server/src/security/index.ts';
import { BareDeliverer, captureDelivery } from './rig/bare-deliverer.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure, median } from './rig/figure.ts';
import { spentBy } from './rig/load.ts';
import { processorMs } from './rig/processor-time.ts';
import type { Service } from './rig/service.ts';
import { withInstallation } from './rig/stage.ts';
import {
  countDeliveries,
  hasNothingToDeliver,
  onDatabase,
  storeEndpoints,
  storeOrganizations,
  storeWaitingEvents,
} from './rig/stored-webhooks.ts';
import { type WebhookReceiver, withReceivers } from './rig/webhook-receiver.ts';

/**
 * Deliveries per second, from events that wait to answers that are written, of the whole service; against a bare loop of undici
 * that signs the same bytes and posts them to the same receiver, as many at a time as the service was seen to.
 */
export const deliveries: Bench = {
  name: 'deliveries',
  measure: (options) =>
    withReceivers(({ receiver, settings }) =>
      withInstallation(
        options,
        { licenses: 1, seatsPerLicense: 1, heldPerLicense: 0, endedPerLicense: 0 },
        ({ service }) =>
          onDatabase(service.databaseUrl, async (client) => [
            await measureDeliveries(options, service, client, receiver, 16),
            await measureDeliveries(options, service, client, receiver, 1),
          ]),
        1,
        settings,
      ),
    ),
};

async function measureDeliveries(
  options: BenchOptions,
  service: Service,
  client: pg.Client,
  receiver: WebhookReceiver,
  endpoints: number,
): Promise<Figure> {
  const masterKey = await keepMasterKey(undefined, service.dataDir);
  const organizations = await storeOrganizations(client, endpoints);
  const urls = organizations.map((organizationId) => ({
    organizationId,
    url: `https://localhost:${receiver.port}/hook`,
  }));
  const [first] = await storeEndpoints(client, masterKey, urls);
  // Endpoints are new and get ten attempts at a time; by the end of this they get as many as they can take.
  await deliver(service, client, receiver, organizations, 1_000);
  const bare = new BareDeliverer(await captureDelivery(receiver, first?.secret ?? ''));
  try {
    let count = 1_000;
    const rounds = await inRounds(options, async () => {
      const ours = await deliver(service, client, receiver, organizations, count);
      count = Math.min(MOST_EVENTS, Math.max(1_000, Math.round(ours.perSecond * options.seconds)));
      const limit = await flood(options, bare, ours.mostAtOnce);
      return {
        ours: ours.perSecond,
        limit: limit.perSecond,
        spent: ours.micros,
        postgresSpent: ours.postgresMicros,
        bareSpent: limit.micros,
        window: ours,
      };
    });
    const middle = (values: readonly number[]) => Math.round(median(values));
    const [spent, bareSpent] = [middle(rounds.map((one) => one.spent)), middle(rounds.map((one) => one.bareSpent))];
    const postgresSpent = middle(rounds.map((one) => one.postgresSpent));
    const notes = [
      `at most ${middle(rounds.map((one) => one.window.mostAtOnce))} connections at a time, and the loop kept as many busy`,
      `processor time of the Node.js process for each: ours ${spent} µs, the loop's ${bareSpent} µs (ratio ${(bareSpent / spent).toFixed(2)})`,
      `with PostgreSQL's ${postgresSpent} µs, a delivery takes ${((spent + postgresSpent) / 1000).toFixed(2)} ms of processor time`,
      `received ${middle(rounds.map((one) => one.window.received))} of ${middle(rounds.map((one) => one.window.count))} events in the middle round`,
    ];
    const name = `deliveries to ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`;
    return makeFigure({ name, unit: '/s', limitIs: 'bare loop of undici', bar: 0.5, notes }, rounds);
  } finally {
    await bare.stop();
  }
}

/** Bounds the data that a quick machine would leave. */
const MOST_EVENTS = 100_000;

/** Lets so many events be announced at once and waits until the last delivery is written. */
async function deliver(
  { target }: Service,
  client: pg.Client,
  receiver: WebhookReceiver,
  organizations: readonly string[],
  count: number,
) {
  const before = await countDeliveries(client);
  await receiver.forget();
  const spentBefore = spentBy(target);
  const startMs = await storeWaitingEvents(client, organizations, count);
  await waitUntilReceived(client, receiver, count);
  while (!(await hasNothingToDeliver(client))) {
    await sleep(5);
  }
  const perSecond = (count * 1000) / (performance.now() - startMs);
  const spent = spentBy(target);
  const micros = ((spent.node - spentBefore.node) * 1000) / count;
  const postgresMicros = ((spent.postgres - spentBefore.postgres) * 1000) / count;
  const report = await receiver.tell();
  const after = await countDeliveries(client);
  if (after.others !== '' || after.all - before.all !== count) {
    throw new Error(`of ${count} deliveries ${after.all - before.all} were written; not successful: ${after.others}`);
  }
  return { perSecond, micros, postgresMicros, mostAtOnce: report.mostBusy, received: report.count, count };
}

/** The receiver is asked, since asking the database would slow down what is measured. */
async function waitUntilReceived(client: pg.Client, receiver: WebhookReceiver, count: number): Promise<void> {
  let { count: received } = await receiver.tell();
  let progressedAtMs = performance.now();
  while (received < count) {
    await sleep(20);
    const { count: now } = await receiver.tell();
    if (now > received) {
      received = now;
      progressedAtMs = performance.now();
    } else if (performance.now() - progressedAtMs > STALLED_MS) {
      const { others } = await countDeliveries(client);
      throw new Error(`after ${received} of ${count} deliveries nothing came any more: ${others}`);
    }
  }
}

const STALLED_MS = 15_000;

async function flood(options: BenchOptions, bare: BareDeliverer, concurrency: number) {
  const { seconds, warmUpSeconds } = options;
  const before = processorMs(bare.pid);
  const result = await bare.run({ kind: 'flood', concurrency, warmUpSeconds, seconds });
  const micros = ((processorMs(bare.pid) - before) * 1000) / result.completed;
  return { perSecond: result.perSecond, micros };
}
