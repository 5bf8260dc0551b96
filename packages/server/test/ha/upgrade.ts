import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/index.ts';
import {
  endServers,
  launchServer,
  newMasterKey,
  readAuthority,
  type ServerProcess,
  serverSettings,
} from '../torture/server-process.ts';
import { createHttp1Client, type LoadClient } from './clients.ts';
import { issueLicense, launcherOf, ROOT, requireInvariants } from './commands.ts';
import { actAsCustomer, signUp, Tally, useSeat } from './mixed-load.ts';

// `npm run test:upgrade` runs the previous version and this one on one database, both under load, and checks the
// invariants: the old one alone, then both, then the old one restarted, then the new one alone.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    /** The previous version. By default the last tag, or the commit before generations were introduced. */
    from: { type: 'string' },
  },
});

async function main(totalMs: number, from: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-upgrade-'));
  const old = join(folder, 'old');
  try {
    await checkOut(from, old);
    const databases = ['upgrade_production', 'upgrade_sandbox'];
    const settings = { max_connections: '300' };
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'database'),
      databases,
      settings,
      log: () => undefined,
    });
    try {
      const [production = '', sandbox = ''] = databases.map((name) => postgres.urlOf(name));
      const common = { DATABASE_URL: production, SANDBOX_DATABASE_URL: sandbox, SEATHOLD_MASTER_KEY: newMasterKey() };
      return await proveUpgrade(folder, old, common, totalMs);
    } finally {
      await endServers();
      await postgres.stop();
    }
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', old], { cwd: ROOT, stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  }
}

async function proveUpgrade(
  folder: string,
  old: string,
  common: Record<string, string>,
  totalMs: number,
): Promise<number> {
  const oldSettings = await settingsOf(folder, 'old', common);
  const newSettings = await settingsOf(folder, 'new', common);
  const before = await launchServer(oldSettings, ['serve'], launcherOf(old)).untilReady();
  say('the previous version serves alone');
  const load = new UpgradeLoad();
  await load.begin(before, oldSettings, old);
  await sleep(totalMs / 4);
  const after = await launchServer(newSettings, ['serve'], launcherOf(ROOT)).untilReady();
  await load.addServer(after);
  say('both versions serve');
  await sleep(totalMs / 4);
  let last = before;
  load.removeServer(before);
  await last.end('SIGTERM');
  // Versions before generations refuse a newer schema.
  if (existsSync(join(old, 'packages/server/src/database/generation.ts'))) {
    last = await launchServer(oldSettings, ['serve'], launcherOf(old)).untilReady();
    await load.addServer(last);
    say('the previous version was restarted on the newer schema');
    await sleep(totalMs / 4);
    load.removeServer(last);
    await last.end('SIGTERM');
  }
  say('this version serves alone');
  await sleep(totalMs / 4);
  await load.end();
  const { tally } = load;
  say(`${tally.answered} answers (${tally.statuses}), ${tally.failures.length} failures`);
  const faults = [before, after, last].flatMap((server) => server.faults);
  for (const line of [...tally.failures.slice(0, 20), ...faults.slice(0, 20)]) {
    console.error(line);
  }
  const checked = await requireInvariants(newSettings);
  say(`${checked} invariants hold`);
  return tally.failures.length === 0 && tally.refused === 0 && faults.length === 0 && tally.answered > 0 ? 0 : 1;
}

/** Uses production seats and buys in the sandbox, taking turns among the running servers. */
class UpgradeLoad {
  readonly tally = new Tally();
  readonly #servers: Array<{ server: ServerProcess; production: LoadClient; sandbox: LoadClient }> = [];
  #isOver = false;
  #loops: Array<Promise<void>> = [];

  async begin(server: ServerProcess, settings: Record<string, string>, root: string): Promise<void> {
    await this.addServer(server);
    const { production } = this.#choose();
    const member = await signUp(production);
    const key = await issueLicense(settings, member.email, 1_000, root);
    const seats = () => useSeat(this.#choose().production, this.tally, member, key);
    const trade = () => actAsCustomer(this.#choose().sandbox, this.tally);
    this.#loops = [seats, seats, seats, trade, trade].map((work) => this.#loop(work));
  }

  async addServer(server: ServerProcess): Promise<void> {
    const ca = await readAuthority(server.dataDir);
    const at = (port: string | undefined) => createHttp1Client(`https://127.0.0.1:${port}`, ca, 8);
    const { SEATHOLD_PORT, SEATHOLD_SANDBOX_PORT } = server.settings;
    this.#servers.push({ server, production: at(SEATHOLD_PORT), sandbox: at(SEATHOLD_SANDBOX_PORT) });
  }

  /** Sends nothing more to a server. Requests in flight there have the drain to finish. */
  removeServer(server: ServerProcess): void {
    this.#servers.splice(
      this.#servers.findIndex((each) => each.server === server),
      1,
    );
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #loop(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await work();
      await sleep(50);
    }
  }

  #choose() {
    const chosen = this.#servers[Math.floor(Math.random() * this.#servers.length)];
    if (chosen === undefined) {
      throw new Error('no server is there');
    }
    return chosen;
  }
}

async function settingsOf(
  folder: string,
  name: string,
  common: Record<string, string>,
): Promise<Record<string, string>> {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  return serverSettings({ ...common, SEATHOLD_DATA_DIR: dataDir, SEATHOLD_DRAIN_SECONDS: '3' });
}

function findVersionBefore(): string {
  const tags = git(['tag', '--sort=-creatordate', '--merged', 'HEAD', 'v*']);
  const [tag] = tags.split('\n');
  return (
    tag || `${git(['log', '--diff-filter=A', '--format=%H', '--', 'packages/server/migrations/0064-generations.sql'])}^`
  );
}

/** Checks out another version alongside this one. It uses this version's packages, unless it needs others. */
async function checkOut(reference: string, folder: string): Promise<void> {
  git(['worktree', 'add', '--detach', folder, reference]);
  say(`the version before is ${git(['log', '-1', '--format=%h %s', reference])}`);
  const lockFile = (root: string) => readFile(join(root, 'package-lock.json'), 'utf8');
  if ((await lockFile(folder)) !== (await lockFile(ROOT))) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
    return;
  }
  for (const each of ['.', ...(await readdir(join(ROOT, 'packages'))).map((name) => `packages/${name}`)]) {
    await linkModules(join(ROOT, each, 'node_modules'), join(folder, each, 'node_modules'));
  }
}

/**
 * Links to the same modules. Links to workspace packages are relative, so there they lead to the other version's
 * packages.
 */
async function linkModules(from: string, to: string): Promise<void> {
  if (!existsSync(from)) {
    return;
  }
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith('@')) {
      await linkModules(source, target);
    } else if (entry.isSymbolicLink()) {
      execFileSync('cp', ['-P', source, target]);
    } else {
      await symlink(source, target);
    }
  }
}

function git(words: readonly string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
}

process.exitCode = await main(Number(values.minutes) * 60_000, values.from ?? findVersionBefore());
