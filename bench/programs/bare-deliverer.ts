// The loop that deliveries cannot be much faster than: undici's Pool as its manual shows it, which signs a delivery and posts it,
// and knows of no database. The delivery comes as a JSON argument; each order is answered with a line.
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { signAttempt, signingKey } from '../../packages/server/src/webhooks/signing/sign-attempt.ts';
import type { BareDelivery, BareOrder, BareResult } from '../rig/webhook-orders.ts';

const { url, ca, secret, headers, body }: BareDelivery = JSON.parse(process.argv[2] ?? '');
const { origin, pathname } = new URL(url);
const key = signingKey(secret);
/** undici writes these itself, or they are made again for each request. */
const { host: _host, connection: _connection, 'content-length': _length, ...given } = headers;
const eventId = headers['webhook-id'] ?? '';
const DELIVERY = 'x-service-delivery';
let number = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const order: BareOrder = JSON.parse(line);
  const result = order.kind === 'flood' ? await flood(order) : await pace(order);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
process.exit();

async function flood(order: Extract<BareOrder, { kind: 'flood' }>): Promise<BareResult> {
  const pool = openPool(order.concurrency);
  const window = { isOver: false, completed: 0 };
  const loops = Array.from({ length: order.concurrency }, async () => {
    while (!window.isOver) {
      await deliver(pool, nextDelivery());
      window.completed += 1;
    }
  });
  await sleep(order.warmUpSeconds);
  const before = { completed: window.completed, ms: performance.now() };
  await sleep(order.seconds);
  const perSecond = ((window.completed - before.completed) * 1000) / (performance.now() - before.ms);
  window.isOver = true;
  await Promise.all(loops);
  await pool.close();
  return { perSecond, completed: window.completed, sent: [] };
}

async function pace(order: Extract<BareOrder, { kind: 'paced' }>): Promise<BareResult> {
  const pool = openPool(32);
  const sent: BareResult['sent'] = [];
  const underWay = new Set<Promise<void>>();
  const startMs = performance.now();
  const total = Math.round(order.perSecond * order.seconds);
  while (sent.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * order.perSecond));
    while (sent.length < due) {
      const delivery = nextDelivery();
      sent.push({ delivery, atMs: performance.timeOrigin + performance.now() });
      const done = deliver(pool, delivery).finally(() => underWay.delete(done));
      underWay.add(done);
    }
    await sleep(0.001);
  }
  await Promise.all(underWay);
  await pool.close();
  return { perSecond: order.perSecond, completed: sent.length, sent };
}

function openPool(connections: number): Pool {
  return new Pool(origin, { connections, pipelining: 1, connect: { ca }, allowH2: false });
}

async function deliver(pool: Pool, delivery: string): Promise<void> {
  const signatures = signAttempt([key], eventId, Math.floor(Date.now() / 1000), body);
  const response = await pool.request({
    method: 'POST',
    path: pathname,
    headers: { ...given, [DELIVERY]: delivery, ...signatures },
    body,
  });
  await response.body.text();
  if (response.statusCode !== 200) {
    throw new Error(`the receiver answered ${response.statusCode}`);
  }
}

/** As long as the service's. */
function nextDelivery(): string {
  number += 1;
  return `dlv_${String(number).padStart(26, '0')}`;
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
