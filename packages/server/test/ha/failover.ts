import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../../../tools/find-free-port.ts';
import {
  endServers,
  newMasterKey,
  readAuthority,
  type ServerProcess,
  serverSettings,
  startServer,
} from '../torture/server-process.ts';
import { createHttp1Client, type LoadClient } from './clients.ts';
import { issueLicense, requireInvariantsOnceAvailable } from './commands.ts';
import { FailoverLoad } from './failover-load.ts';
import { signUp } from './mixed-load.ts';
import { PostgresNode } from './postgres-node.ts';

// `npm run test:ha` takes a PostgreSQL primary, or one of its synchronous standbys, away from a service under load. No
// acknowledged write may be lost, the service must continue by itself, and no request may wait longer than 10 s.

const MODES = ['kill', 'freeze', 'cut', 'standby'] as const;
type Mode = (typeof MODES)[number];

const { values } = parseArgs({
  options: {
    /** Per mode. */
    rounds: { type: 'string', default: '20' },
    only: { type: 'string', default: MODES.join() },
    /** With two, any one of them confirms a commit. */
    standbys: { type: 'string', default: '1' },
  },
});

const LOOPS = 12;
/** Before and after the fault. */
const QUIET_MS = 2_000;
/** How long the standby is away in the mode `standby`. */
const STANDBY_AWAY_MS = 15_000;
const OUTAGE_P95_MS = 10_000;
/** The service's ten seconds, plus what a busy machine may add. */
const LONGEST_ANSWER_MS = 11_000;

/** The result of one round. */
interface Round {
  outageMs: number;
  /** Seats that were acknowledged in this round. */
  acknowledged: number;
  lost: number;
  faults: string[];
}

async function main(rounds: number, modes: readonly Mode[], standbyCount: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-ha-'));
  const ports = await Promise.all(Array.from({ length: 1 + standbyCount }, findFreePort));
  const nodes = await Promise.all(ports.map((port, number) => PostgresNode.create(`node-${number + 1}`, folder, port)));
  const [one, ...standbys] = nodes;
  if (one === undefined || standbys.length === 0) {
    throw new Error('there is no standby');
  }
  try {
    await one.startPrimary();
    await one.ask(`create database ${DATABASE}`);
    for (const standby of standbys) {
      await standby.startStandby(one);
    }
    await one.waitForAnyOf(standbys);
    const trial = await Trial.start(folder, one, standbys);
    let isFaultless = true;
    for (const mode of modes) {
      isFaultless = (await proveMode(trial, mode, rounds)) && isFaultless;
    }
    await trial.close();
    return isFaultless ? 0 : 1;
  } finally {
    await endServers();
    await Promise.all(nodes.map((node) => node.close()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function proveMode(trial: Trial, mode: Mode, rounds: number): Promise<boolean> {
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const result = await trial.runRound(mode);
    all.push(result);
    for (const fault of result.faults) {
      console.error(`  FAULT ${fault}`);
    }
  }
  const outages = all.map(({ outageMs }) => outageMs).sort((a, b) => a - b);
  const percentile = (share: number) => outages[Math.ceil(outages.length * share) - 1] ?? 0;
  const [p50, p95, longest] = [percentile(0.5), percentile(0.95), percentile(1)];
  const sumOf = (count: (round: Round) => number) => all.reduce((sum, each) => sum + count(each), 0);
  const faults = sumOf((round) => round.faults.length);
  const seats = `${sumOf((round) => round.acknowledged)} seats acknowledged, ${sumOf((round) => round.lost)} lost`;
  // Without its standby a primary acknowledges nothing, so in that mode the outage lasts until the standby is back.
  const isInTime = mode === 'standby' || p95 <= OUTAGE_P95_MS;
  say(
    `${mode}: ${rounds} rounds, outage p50 ${seconds(p50)}, p95 ${seconds(p95)}${isInTime ? '' : ', which is too long'}, longest ${seconds(longest)}; ${seats}; ${faults} faults`,
  );
  return faults === 0 && isInTime;
}

type Outage = Pick<Round, 'outageMs' | 'faults'>;

const DATABASE = 'ha_production';

class Trial {
  #primary: PostgresNode;
  #standbys: readonly PostgresNode[];
  readonly #settings: Record<string, string>;
  readonly #server: ServerProcess;
  readonly #client: LoadClient;
  readonly #load: FailoverLoad;

  private constructor(
    primary: PostgresNode,
    standbys: readonly PostgresNode[],
    settings: Record<string, string>,
    server: ServerProcess,
    client: LoadClient,
    load: FailoverLoad,
  ) {
    this.#primary = primary;
    this.#standbys = standbys;
    this.#settings = settings;
    this.#server = server;
    this.#client = client;
    this.#load = load;
  }

  static async start(folder: string, primary: PostgresNode, standbys: readonly PostgresNode[]): Promise<Trial> {
    const dataDir = join(folder, 'server');
    await mkdir(dataDir);
    const settings = await serverSettings({
      DATABASE_URL: urlOfAll([primary, ...standbys]),
      SEATHOLD_MASTER_KEY: newMasterKey(),
      SEATHOLD_DATA_DIR: dataDir,
      SEATHOLD_SANDBOX: 'off',
    });
    const server = await startServer(settings);
    const client = createHttp1Client(server.baseUrl, await readAuthority(dataDir), LOOPS + 2);
    const member = await signUp(client);
    const key = await issueLicense(settings, member.email, 1_000);
    const load = new FailoverLoad(client, member, key);
    load.begin(LOOPS);
    return new Trial(primary, standbys, settings, server, client, load);
  }

  async close(): Promise<void> {
    await this.#load.end();
    this.#client.close();
  }

  /** One fault, until the service writes again and all nodes are back. */
  async runRound(mode: Mode): Promise<Round> {
    const { tally } = this.#load;
    const before = { answered: tally.answered, refused: tally.refused, failures: tally.failures.length };
    const seatsBefore = this.#load.acquired.size;
    this.#load.slowestMs = 0;
    await sleep(QUIET_MS);
    const readiness = mode === 'standby' ? await this.#loseStandby() : await this.#losePrimary(mode);
    await sleep(QUIET_MS);
    const lost = await this.#listLost();
    await requireInvariantsOnceAvailable(this.#settings);
    const slowest = this.#load.slowestMs;
    const faults = [
      ...tally.failures.slice(before.failures).slice(0, 10),
      ...lost.map((sessionId) => `lost: ${sessionId}`),
      ...this.#server.faults.slice(0, 10),
      ...(this.#server.isRunning ? [] : ['the service has ended']),
      ...(slowest > LONGEST_ANSWER_MS ? [`a request waited for ${seconds(slowest)}`] : []),
      ...readiness.faults,
    ];
    const [answered, refused] = [tally.answered - before.answered, tally.refused - before.refused];
    const sum = `${answered} answers, ${refused} of them 503, slowest ${seconds(slowest)}`;
    say(
      `${mode}: ${seconds(readiness.outageMs)} without a write; ${sum}; ${this.#load.acquired.size} seats acknowledged`,
    );
    const acknowledged = this.#load.acquired.size - seatsBefore;
    return { outageMs: readiness.outageMs, acknowledged, lost: lost.length, faults };
  }

  /** Takes the primary away and does what a cluster manager does: three failed probes, then a promotion. */
  async #losePrimary(mode: 'kill' | 'freeze' | 'cut'): Promise<Outage> {
    const old = this.#primary;
    const from = performance.now();
    if (mode === 'cut') {
      old.proxy.freeze();
    } else {
      await old.signal(mode === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    }
    for (let failed = 0; failed < 3; ) {
      await sleep(200);
      failed = (await old.answers()) ? 0 : failed + 1;
    }
    const [next, ...others] = await byProgress(this.#standbys);
    if (next === undefined) {
      throw new Error('no standby is left');
    }
    await next.promote();
    for (const other of others) {
      await other.follow(next);
    }
    await this.#load.untilNextWrite(60_000);
    const outageMs = performance.now() - from;
    // A primary that comes back beside the new one must get no more writes: no standby would confirm them.
    if (mode === 'freeze') {
      await old.signal('SIGCONT');
      await sleep(QUIET_MS);
    } else if (mode === 'cut') {
      old.proxy.thaw();
      await sleep(QUIET_MS);
    }
    await old.signal('SIGKILL');
    await old.startStandby(next);
    this.#primary = next;
    this.#standbys = [...others, old];
    await next.waitForAnyOf(this.#standbys);
    await this.#load.untilNextWrite(60_000);
    return { outageMs, faults: [] };
  }

  /** A single standby: writes hang until it is back, which the service reports, and reads continue. Two: writes continue. */
  async #loseStandby(): Promise<Outage> {
    const from = performance.now();
    const [standby, ...others] = this.#standbys;
    await standby?.signal('SIGKILL');
    const expected = others.length === 0 ? 503 : 200;
    if (others.length > 0) {
      await this.#load.untilNextWrite(60_000);
    }
    const uninterruptedMs = performance.now() - from;
    await sleep(STANDBY_AWAY_MS / 2);
    const away = await this.#client.call({ method: 'GET', path: '/readyz' });
    const plans = await this.#client.call({ method: 'GET', path: '/v1/plans' });
    await sleep(STANDBY_AWAY_MS / 2);
    await standby?.startStandbyAgain();
    await this.#load.untilNextWrite(60_000);
    const outageMs = others.length > 0 ? uninterruptedMs : performance.now() - from;
    await this.#primary.waitForAnyOf(this.#standbys);
    await sleep(QUIET_MS);
    const back = await this.#client.call({ method: 'GET', path: '/readyz' });
    return {
      outageMs,
      faults: [
        ...(away.status === expected
          ? []
          : [`/readyz answered ${away.status} instead of ${expected} without the standby`]),
        ...(plans.status === 200 ? [] : [`a read was answered ${plans.status} without the standby`]),
        ...(back.status === 200 ? [] : [`/readyz answered ${back.status} after the standby was back`]),
      ],
    };
  }

  /** Acknowledged seats that the primary has no trace of, and released seats that are still held. */
  async #listLost(): Promise<string[]> {
    const acquired = [...this.#load.acquired];
    const released = [...this.#load.released];
    const rows = await this.#primary.ask<{ id: string }>(
      `select id from unnest($1::text[]) id where not exists (select from seat_slots where session_id = id)
          and not exists (select from seat_sessions s where s.id = id.id)
        union all
        select session_id as id from seat_slots where session_id = any($2::text[])`,
      [acquired, released],
      DATABASE,
    );
    return rows.map(({ id }) => id);
  }
}

/** All nodes in one URL. Only the primary takes writes. */
function urlOfAll(nodes: readonly PostgresNode[]): string {
  const urls = nodes.map((node) => new URL(node.urlOf(DATABASE)));
  const [first] = urls;
  const hosts = urls.map(({ host }) => host).join(',');
  return `${first?.href.replace(first.host, hosts)}?target_session_attrs=read-write`;
}

/** The standby with the most log comes first: if any may confirm, only it is sure to have everything acknowledged. */
async function byProgress(standbys: readonly PostgresNode[]): Promise<PostgresNode[]> {
  const all = await Promise.all(standbys.map(async (node) => ({ node, bytes: await node.receivedBytes() })));
  return all.sort((a, b) => b.bytes - a.bytes).map(({ node }) => node);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
}

const chosen: readonly Mode[] = MODES.filter((mode) => values.only.split(',').includes(mode));
// A load that continues after an error of the trial itself must not keep the process alive.
process.exit(await main(Number(values.rounds), chosen, Number(values.standbys)));
