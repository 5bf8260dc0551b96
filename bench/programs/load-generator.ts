// Reads orders as lines of JSON and answers each with a line. It speaks raw HTTP/1.1 on TLS sockets: a general client
// costs as much as the handler it measures, and would be what is measured.
import { createInterface } from 'node:readline';
import { connect, type TLSSocket } from 'node:tls';
import type { LoadOrder, LoadResult } from '../rig/load-plan.ts';
import { AnswerReader } from './answer-reader.ts';
import { isExpected, prepareTalks, type Talk } from './talks.ts';

for await (const line of createInterface({ input: process.stdin })) {
  const order: LoadOrder = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await runOrder(order))}\n`);
}

async function runOrder(order: LoadOrder): Promise<LoadResult> {
  const newTalk = prepareTalks(order.plan);
  const window = { isOver: false, completed: 0, fault: null as string | null };
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order)));
  const talks = sockets.map((socket) => talk(socket, newTalk(), window));
  const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  await sleep(order.warmUpSeconds);
  const before = { completed: window.completed, ms: performance.now(), cpu: process.cpuUsage() };
  await sleep(order.seconds);
  const elapsedMs = performance.now() - before.ms;
  const cpu = process.cpuUsage(before.cpu);
  const perSecond = ((window.completed - before.completed) * 1000) / elapsedMs;
  window.isOver = true;
  await Promise.all(talks);
  return {
    perSecond,
    completed: window.completed,
    generatorBusy: (cpu.user + cpu.system) / 1000 / elapsedMs,
    fault: window.fault,
  };
}

function open({ target }: LoadOrder): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port: target.port, ca: target.ca }, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

/** Runs one connection until the window is over and what it began is complete: no seat stays taken. */
function talk(
  socket: TLSSocket,
  script: Talk,
  window: { isOver: boolean; completed: number; fault: string | null },
): Promise<void> {
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (fault: string | null) => {
      if (hasEnded) return;
      hasEnded = true;
      window.fault ??= fault;
      socket.destroy();
      resolve();
    };
    const reader = new AnswerReader((status, body) => {
      if (!isExpected(script, status)) {
        end(`${status} ${body.slice(0, 500)}`);
        return;
      }
      const isComplete = script.take(body);
      if (isComplete) {
        window.completed += 1;
      }
      if (isComplete && (window.isOver || window.fault !== null)) {
        end(null);
      } else {
        socket.write(script.next());
      }
    });
    socket.on('data', (chunk) => reader.read(chunk));
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('the connection was closed'));
    socket.write(script.next());
  });
}
