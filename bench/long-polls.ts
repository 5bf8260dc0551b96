import { randomBytes } from 'node:crypto';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './rig/api.ts';
import { type Bench, type BenchOptions, type Figure, makeFigure, median, type Round } from './rig/figure.ts';
import { spentBy } from './rig/load.ts';
import type { Target } from './rig/load-plan.ts';
import { residentMegabytes } from './rig/resident-memory.ts';
import { type Installation, withInstallation } from './rig/stage.ts';
import type { StoredLicense } from './rig/stored-seats.ts';

/** A license has at most 2,000 machines in line. */
const LICENSES = 20;
const WAITS_PER_LICENSE = 500;
const POLL_SECONDS = 25;
/** Until all polls have arrived, and the garbage of their arrival is collected. */
const SETTLE_MS = 8_000;
const STREAMS_PER_CONNECTION = 100;
const PORTION = 50;
const PORTION_EVERY_MS = 100;

/**
 * 10,000 programs in line, each with a long poll, on one process: what memory the polls add, what they cost while nothing
 * happens, and how soon the first in line is answered after a release.
 */
export const longPolls: Bench = {
  name: 'long-polls',
  measure: (options) =>
    withInstallation(
      options,
      { licenses: LICENSES, seatsPerLicense: 1, heldPerLicense: 1, endedPerLicense: 0 },
      (installation) => measureLines(options, installation),
      undefined,
      { SEATHOLD_MAX_CONNECTIONS_PER_ADDRESS: '0' },
    ),
};

async function measureLines(options: BenchOptions, { service: { target }, licenses }: Installation): Promise<Figure[]> {
  const idle = residentMegabytes(target.pid);
  const lines: Line[] = [];
  for (const license of licenses) {
    lines.push(await fillLine(target, license));
  }
  const shared = await measurePolls(options, target, lines, () => new SharedConnections(target));
  const own = await measurePolls(options, target, lines, () => new OwnConnections(target));
  return [shared, own].flatMap(({ name, rounds }) => {
    const middle = (read: (round: PollRound) => number) => median(rounds.map(read)).toFixed(0);
    const memory: Round[] = rounds.map(({ megabytes }) => ({ ours: megabytes - idle, limit: 200 }));
    const granted: Round[] = rounds.map(({ grantedMs }) => ({ ours: grantedMs, limit: 250 }));
    const notes = [
      `${middle(({ megabytes }) => megabytes)} MB in all, ${idle} MB before; while nothing happens, ` +
        `${middle(({ nodePerSecond }) => nodePerSecond)} ms of Node.js a second`,
    ];
    return [
      makeFigure(
        { name: `memory of 10,000 long polls, ${name}`, unit: 'MB', limitIs: '200 MB', bar: 1, isAtMost: true, notes },
        memory,
      ),
      makeFigure({ name: `release to grant, ${name}`, unit: 'ms', limitIs: '250 ms', bar: 1, isAtMost: true }, granted),
    ];
  });
}

/** A full license, the session that holds its seat, and those who wait. */
interface Line {
  token: string;
  sessionId: string;
  waitIds: string[];
}

async function fillLine(target: Target, { key, account, sessionIds }: StoredLicense): Promise<Line> {
  const join = async () => {
    const answer = await ask(target, 'POST', '/v1/licenses/acquire', account.token, {
      license_key: key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
      wait_seconds: 3_600,
    });
    return String(JSON.parse(answer.body).data.wait_id);
  };
  const waitIds: string[] = [];
  while (waitIds.length < WAITS_PER_LICENSE) {
    // The order within a portion is not known, so the first in line stands alone.
    waitIds.push(...(await Promise.all(Array.from({ length: waitIds.length === 0 ? 1 : 32 }, join))));
  }
  return { token: account.token, sessionId: sessionIds[0] ?? '', waitIds: waitIds.slice(0, WAITS_PER_LICENSE) };
}

interface PollRound {
  megabytes: number;
  nodePerSecond: number;
  grantedMs: number;
}

interface Connections {
  readonly name: string;
  poll(waitId: string, token: string): Promise<{ status: string; session_id?: string }>;
  close(): void;
}

async function measurePolls(
  options: BenchOptions,
  target: Target,
  lines: readonly Line[],
  open: () => Connections,
): Promise<{ name: string; rounds: PollRound[] }> {
  const rounds: PollRound[] = [];
  let name = '';
  for (let round = 0; round < options.rounds; round += 1) {
    const connections = open();
    name = connections.name;
    const polls = await startPolls(connections, lines);
    await sleep(SETTLE_MS);
    const before = spentBy(target);
    await sleep(options.seconds * 1_000);
    const nodePerSecond = (spentBy(target).node - before.node) / options.seconds;
    const megabytes = residentMegabytes(target.pid);
    const line = lines[round % lines.length];
    const first = polls[round % lines.length]?.[0];
    if (line === undefined || first === undefined) {
      throw new Error('there are no lines');
    }
    rounds.push({ megabytes, nodePerSecond, grantedMs: await passOn(target, line, first) });
    connections.close();
    await Promise.allSettled(polls.flat());
  }
  return { name, rounds };
}

/** Starts all polls at a pace at which one core can accept their connections. */
async function startPolls(connections: Connections, lines: readonly Line[]) {
  const polls: Array<Array<ReturnType<Connections['poll']>>> = [];
  for (const { waitIds, token } of lines) {
    const ofLine: Array<ReturnType<Connections['poll']>> = [];
    polls.push(ofLine);
    for (let at = 0; at < waitIds.length; at += PORTION) {
      ofLine.push(...waitIds.slice(at, at + PORTION).map((waitId) => holdPoll(connections, waitId, token)));
      await sleep(PORTION_EVERY_MS);
    }
  }
  return polls;
}

/** Polls again as long as it is not this machine's turn, as programs in line do. */
function holdPoll(connections: Connections, waitId: string, token: string): ReturnType<Connections['poll']> {
  const poll = async () => {
    for (;;) {
      const answer = await connections.poll(waitId, token);
      if (answer.status !== 'waiting') {
        return answer;
      }
    }
  };
  const held = poll();
  // Those that are not first in line end with their connection, before anything waits for them.
  held.catch(() => undefined);
  return held;
}

/** Releases the seat of a line. Returns the milliseconds until the first in line has it. */
async function passOn(target: Target, line: Line, first: ReturnType<Connections['poll']>): Promise<number> {
  const granted = first.then(({ status, session_id: sessionId }) => {
    if (status !== 'granted' || sessionId === undefined) {
      throw new Error(`the first in line is ${status}`);
    }
    line.sessionId = sessionId;
    return performance.now();
  });
  const releasedAtMs = performance.now();
  await ask(target, 'POST', '/v1/licenses/release', line.token, { session_id: line.sessionId });
  const grantedAtMs = await granted;
  line.waitIds.shift();
  return grantedAtMs - releasedAtMs;
}

const pathOf = (waitId: string) => `/v1/licenses/waits/${waitId}?timeout=${POLL_SECONDS}`;

/** 100 polls on each HTTP/2 connection. */
class SharedConnections implements Connections {
  readonly name = 'HTTP/2';
  readonly #target: Target;
  readonly #sessions: ClientHttp2Session[] = [];
  #polls = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  poll(waitId: string, token: string): Promise<{ status: string }> {
    const session = this.#sessionFor(this.#polls);
    this.#polls += 1;
    return new Promise((resolve, reject) => {
      const stream = session.request({ ':path': pathOf(waitId), authorization: `Bearer ${token}` });
      let body = '';
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        body += text;
      });
      stream.on('end', () => (body === '' ? reject(new Error('no answer')) : resolve(JSON.parse(body).data)));
      stream.on('error', reject);
      stream.on('close', () => reject(new Error('the stream was closed')));
    });
  }

  #sessionFor(poll: number): ClientHttp2Session {
    const index = Math.floor(poll / STREAMS_PER_CONNECTION);
    this.#sessions[index] ??= this.#connect();
    return this.#sessions[index];
  }

  #connect(): ClientHttp2Session {
    const session = connect(`https://localhost:${this.#target.port}`, { ca: this.#target.ca });
    session.on('error', () => undefined);
    return session;
  }

  close(): void {
    for (const session of this.#sessions) {
      session.destroy();
    }
  }
}

/** A connection for each poll, as 10,000 separate programs have. */
class OwnConnections implements Connections {
  readonly name = 'HTTP/1.1';
  readonly #target: Target;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(target: Target) {
    this.#target = target;
  }

  poll(waitId: string, token: string): Promise<{ status: string }> {
    const { port, ca } = this.#target;
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const outgoing = request(
        { host: 'localhost', port, ca, agent: this.#agent, path: pathOf(waitId), headers },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (text: string) => {
            body += text;
          });
          response.on('end', () => resolve(JSON.parse(body).data));
          response.on('close', () => reject(new Error('the connection was closed')));
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
