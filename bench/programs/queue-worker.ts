// Runs trivial jobs from one queue or another, each order a line of JSON that is answered with one. What a queue needs to store its
// jobs comes before the clock starts; it stops when the last job is known to be done in the database.
import { createInterface } from 'node:readline';
import type { QueueOrder, QueueResult, QueueSettings } from '../rig/webhook-orders.ts';
import { openGraphileWorker } from './queues/graphile-worker.ts';
import { openOurs } from './queues/ours.ts';
import { openPgBoss } from './queues/pg-boss.ts';
import type { Queue } from './queues/queue.ts';

const settings: QueueSettings = JSON.parse(process.argv[2] ?? '');
const queue = await openQueue();
for await (const line of createInterface({ input: process.stdin })) {
  const order: QueueOrder = JSON.parse(line);
  await queue.prepare(order.jobs);
  const startMs = performance.now();
  await queue.runAll(order.jobs);
  const result: QueueResult = { perSecond: (order.jobs * 1000) / (performance.now() - startMs) };
  await queue.rest();
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
await queue.close();
process.exit();

async function openQueue(): Promise<Queue> {
  switch (settings.kind) {
    case 'pg-boss':
      return openPgBoss(settings.databaseUrl);
    case 'graphile-worker':
      return openGraphileWorker(settings.databaseUrl);
    case 'ours-to-receiver':
    case 'ours-without-http':
      return openOurs(settings);
  }
}
