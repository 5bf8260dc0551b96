import pg from 'pg';
import { Database } from '../../../packages/server/src/database/index.ts';
import { type RunningJobs, runJobs } from '../../../packages/server/src/jobs/index.ts';
import { parseNetworks } from '../../../packages/server/src/networks/index.ts';
import { Deliverer } from '../../../packages/server/src/webhooks/delivering/deliver-due.ts';
import type { DeliveryTools } from '../../../packages/server/src/webhooks/delivering/delivery-tools.ts';
import { FanOut } from '../../../packages/server/src/webhooks/delivering/fan-out-events.ts';
import { deliveryJobs } from '../../../packages/server/src/webhooks/delivering/jobs.ts';
import { createSender, type Sender } from '../../../packages/server/src/webhooks/sending/sender.ts';
import { createDeliveryTools, INSTANT_SENDER } from '../../rig/delivering.ts';
import { hasNothingToDeliver } from '../../rig/stored-webhooks.ts';
import type { QueueSettings } from '../../rig/webhook-orders.ts';
import { type Queue, waitUntil } from './queue.ts';

/**
 * The service's own jobs on a database of their own, where events wait already. Without HTTP the events are fanned out before
 * the clock starts, which is for them what storing jobs is for the others.
 */
export async function openOurs({ kind, databaseUrl, dataDir, ca }: QueueSettings): Promise<Queue> {
  const database = new Database(databaseUrl, { connections: 4, maxWaiting: 1_000 }, () => undefined);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const isSent = kind === 'ours-to-receiver';
  const counted = { sent: 0 };
  const sender = counting(isSent ? openLoopbackSender(ca) : INSTANT_SENDER, counted);
  const tools: DeliveryTools = await createDeliveryTools(database, dataDir, sender);
  const fanOut = new FanOut(tools, new Deliverer(tools));
  let running: RunningJobs | undefined;
  return {
    prepare: async () => {
      counted.sent = 0;
      while (!isSent && (await fanOut.run())) {
        // Until nothing waits to be fanned out.
      }
      await client.query('vacuum analyze');
    },
    runAll: async (jobs) => {
      running = runJobs(deliveryJobs(tools).jobs, tools.log);
      await waitUntil(
        () => counted.sent >= jobs,
        () => hasNothingToDeliver(client),
      );
    },
    rest: async () => {
      await running?.stop();
      running = undefined;
    },
    close: async () => {
      await sender.close();
      await client.end();
      await database.close();
    },
  };
}

function openLoopbackSender(ca: string): Sender {
  const loopback = parseNetworks('127.0.0.0/8,::1/128');
  if (!loopback.ok) {
    throw new Error('the networks of this machine are not valid');
  }
  return createSender({ timeoutMs: 15_000, allowNetworks: loopback.networks, extraCa: ca });
}

function counting(sender: Sender, counted: { sent: number }): Sender {
  return {
    ...sender,
    send: async (request, cutOff) => {
      const result = await sender.send(request, cutOff);
      counted.sent += 1;
      return result;
    },
  };
}
