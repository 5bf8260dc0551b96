// Sends requests at a fixed rate, whether or not earlier ones were answered, as many clients do who know nothing about each other. Each
// order is a line of JSON, and answered with one. A request that finds every connection busy waits, and its wait counts.
import { createInterface } from 'node:readline';
import { connect, type TLSSocket } from 'node:tls';
import type { PacedOrder, PacedResult } from '../rig/webhook-orders.ts';
import { AnswerReader } from './answer-reader.ts';
import { prepareTalks, type Talk } from './talks.ts';

/** A connection that is free, waiting to be told when its request was due. */
type Free = (dueAtMs: number) => void;

for await (const line of createInterface({ input: process.stdin })) {
  const order: PacedOrder = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await runOrder(order))}\n`);
}
process.exit();

async function runOrder(order: PacedOrder): Promise<PacedResult> {
  const result: PacedResult = { latenciesMs: [], fault: null };
  const free: Free[] = [];
  const waiting: number[] = [];
  const newTalk = prepareTalks(order.plan);
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order)));
  const measuredFromMs = performance.now() + order.warmUpSeconds * 1000;
  const onDone = (dueAtMs: number) => {
    if (dueAtMs >= measuredFromMs) {
      result.latenciesMs.push(performance.now() - dueAtMs);
    }
  };
  for (const socket of sockets) {
    serve(socket, newTalk(), { free, waiting, onDone, onFault: (fault) => (result.fault ??= fault) });
  }
  await tick(order, result, (dueAtMs) => {
    // In turn, since a connection that stays idle is closed.
    const next = free.shift();
    if (next === undefined) {
      waiting.push(dueAtMs);
    } else {
      next(dueAtMs);
    }
  });
  for (let left = 100; left > 0 && result.fault === null && free.length < sockets.length; left -= 1) {
    await sleep(0.1);
  }
  if (free.length < sockets.length) {
    result.fault ??= 'some requests were not answered within 10 s';
  }
  for (const socket of sockets) {
    socket.removeAllListeners('close');
    socket.destroy();
  }
  return result;
}

/** Calls for each request when it is due. A late timer of this process is not the service's delay, so the call is the due time. */
async function tick(order: PacedOrder, result: PacedResult, send: (dueAtMs: number) => void): Promise<void> {
  const total = Math.round((order.warmUpSeconds + order.seconds) * order.perSecond);
  const startMs = performance.now();
  for (let sent = 0; sent < total && result.fault === null; ) {
    const nowMs = performance.now();
    const due = Math.min(total, Math.floor(((nowMs - startMs) / 1000) * order.perSecond));
    for (; sent < due; sent += 1) {
      send(nowMs);
    }
    await sleep(0.001);
  }
}

interface Line {
  free: Free[];
  waiting: number[];
  onDone(dueAtMs: number): void;
  onFault(fault: string): void;
}

/** Keeps one connection at work: what the talk counts as one is begun when it is due, and then continues by itself. */
function serve(socket: TLSSocket, talk: Talk, { free, waiting, onDone, onFault }: Line): void {
  let dueAtMs = 0;
  const begin: Free = (due) => {
    dueAtMs = due;
    socket.write(talk.next());
  };
  const reader = new AnswerReader((status, body) => {
    if (status >= 300) {
      onFault(`${status} ${body.slice(0, 500)}`);
    } else if (talk.take(body)) {
      onDone(dueAtMs);
      const next = waiting.shift();
      if (next === undefined) {
        free.push(begin);
      } else {
        begin(next);
      }
    } else {
      socket.write(talk.next());
    }
  });
  socket.on('data', (chunk) => reader.read(chunk));
  socket.on('error', (error) => onFault(error.message));
  socket.on('close', () => onFault('the connection was closed'));
  free.push(begin);
}

function open({ target }: PacedOrder): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port: target.port, ca: target.ca }, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
