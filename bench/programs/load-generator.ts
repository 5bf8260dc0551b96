// Reads orders as lines of JSON and answers each with a line. It speaks HTTP/1.1 by hand on TLS sockets: a general client
// costs as much as the handler it measures, and would be what is measured.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { connect, type TLSSocket } from 'node:tls';
import type { LoadOrder, LoadPlan, LoadResult } from '../rig/load-plan.ts';
import { AnswerReader } from './answer-reader.ts';

const HOST = 'host: localhost\r\n';

/** What one connection says next, and what it makes of the answers. */
interface Talk {
  next(): string;
  /** Takes an answer's body; true when that completes one of what is counted. */
  take(body: string): boolean;
}

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
      if (status >= 300) {
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

function prepareTalks(plan: LoadPlan): () => Talk {
  switch (plan.kind) {
    case 'heartbeats':
      return roundRobin(
        plan.sessions.map(
          ({ sessionId, token }) =>
            () =>
              post('heartbeat', token, { session_id: sessionId }),
        ),
      );
    case 'me':
      return roundRobin(plan.tokens.map((token) => () => `GET /v1/me HTTP/1.1\r\n${headers(token)}\r\n`));
    case 'gets':
      return roundRobin(
        plan.tokens.map((token) => () => `GET ${plan.path} HTTP/1.1\r\n${token === null ? HOST : headers(token)}\r\n`),
      );
    case 'logins':
      return roundRobin(plan.accounts.map((account) => () => logIn(account)));
    case 'seats':
      return () => takeAndRelease(plan.licenses);
  }
}

/** All connections share one turn, so that every request is another one's. */
function roundRobin(requests: ReadonlyArray<() => string>): () => Talk {
  let turn = 0;
  const next = () => {
    turn = (turn + 1) % requests.length;
    return requests[turn]?.() ?? '';
  };
  return () => ({ next, take: () => true });
}

function takeAndRelease(licenses: ReadonlyArray<{ key: string; token: string }>): Talk {
  const machine = randomBytes(8).toString('hex');
  let count = 0;
  let token = '';
  let sessionId: string | undefined;
  return {
    next() {
      if (sessionId !== undefined) {
        return post('release', token, { session_id: sessionId });
      }
      const license = licenses[Math.floor(Math.random() * licenses.length)] ?? { key: '', token: '' };
      token = license.token;
      count += 1;
      return post('acquire', token, {
        license_key: license.key,
        hardware_id: `hw_${machine}${String(count).padStart(16, '0')}`,
      });
    },
    take(body) {
      const wasRelease = sessionId !== undefined;
      sessionId = wasRelease ? undefined : (/"session_id":"([^"]+)"/.exec(body)?.[1] ?? '');
      return wasRelease;
    },
  };
}

function post(verb: string, token: string, content: object): string {
  const body = JSON.stringify(content);
  return `POST /v1/licenses/${verb} HTTP/1.1\r\n${headers(token)}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function logIn(account: { email: string; password: string }): string {
  const body = JSON.stringify(account);
  return `POST /v1/auth/login HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function headers(token: string): string {
  return `${HOST}authorization: Bearer ${token}\r\n`;
}
