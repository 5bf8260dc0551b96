import { execFile } from 'node:child_process';
import { access, constants, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { chooseAddress } from './choose-address.ts';
import { chooseIdentity } from './choose-identity.ts';
import { clusterUrl } from './cluster-url.ts';
import { endLeftovers, endPostmaster } from './end-postgres.ts';
import { type Binaries, binariesIn, linkLibraries, readMajorVersion } from './locate-binaries.ts';
import { findSetAside, giveTo } from './prepare-cluster.ts';
import { runPostmaster } from './run-postmaster.ts';

/** The cluster of an older PostgreSQL in a data folder. */
export interface OldCluster {
  major: number;
  /** The one that is installed. */
  installed: number;
  urlOf(database: string): string;
  databases: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts the cluster of a data folder with the programs of the PostgreSQL that created it, read-only. The caller holds
 * the folder's lock. Throws one clear sentence if there is nothing to upgrade or the programs have another version.
 * @param programs a folder with `bin/postgres`, or an npm package with `native/bin/postgres`.
 */
export async function startOldCluster(dataDir: string, programs: string): Promise<OldCluster> {
  const setAside = await findSetAside(dataDir);
  if (setAside !== undefined) {
    // An earlier upgrade was killed between its two renames.
    await rename(join(dataDir, setAside), join(dataDir, 'postgres'));
  }
  const dir = join(dataDir, 'postgres');
  const major = Number.parseInt(await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => ''), 10);
  const installed = await readMajorVersion();
  if (Number.isNaN(major)) {
    throw new Error(`There is no database in ${dataDir}.`);
  }
  if (major === installed) {
    throw new Error(`The database in ${dir} already has PostgreSQL version ${major}. There is nothing to upgrade.`);
  }
  const binaries = await findPrograms(programs, major);
  const runtime = { binaries, identity: await chooseIdentity(binaries, dataDir) };
  await endLeftovers(dir, binaries);
  await giveTo(runtime.identity, dir);
  const address = await chooseAddress(dataDir, runtime.identity);
  const settings = { default_transaction_read_only: 'on' };
  const postmaster = await runPostmaster({
    runtime,
    clusterDir: dir,
    address,
    settings,
    isDurable: true,
    log: () => undefined,
  });
  const password = (await readPassword(dataDir, major)).trim();
  const urlOf = (database: string) => clusterUrl(password, address, database);
  const stop = () => endPostmaster(postmaster.pid, binaries);
  try {
    return { major, installed, urlOf, databases: await listDatabases(urlOf('postgres')), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Replaces the old cluster with the new one; the old one stays next to it under the name of its version. */
export async function replaceCluster(dataDir: string, unfinished: string, major: number): Promise<string> {
  const kept = join(dataDir, `postgres-${major}`);
  const [password, keptPassword] = [join(dataDir, 'postgres-password'), `${kept}-password`];
  const isPasswordKept = await access(keptPassword).then(
    () => true,
    () => false,
  );
  if (!isPasswordKept) {
    await rename(password, keptPassword);
  }
  await rename(join(unfinished, 'postgres-password'), password);
  await rename(join(dataDir, 'postgres'), kept);
  await rename(join(unfinished, 'postgres'), join(dataDir, 'postgres'));
  return kept;
}

/** A killed upgrade may have already moved the password aside. */
function readPassword(dataDir: string, major: number): Promise<string> {
  return readFile(join(dataDir, `postgres-${major}-password`), 'utf8').catch(() =>
    readFile(join(dataDir, 'postgres-password'), 'utf8'),
  );
}

async function findPrograms(folder: string, major: number): Promise<Binaries> {
  await linkLibraries(folder).catch(() => undefined);
  for (const bin of [join(folder, 'native', 'bin'), join(folder, 'bin')]) {
    const binaries = binariesIn(bin);
    const isThere = await access(binaries.postgres, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    const { stdout } = await promisify(execFile)(binaries.postgres, ['--version']);
    const found = Number.parseInt(/\d+/.exec(stdout)?.[0] ?? '', 10);
    if (found === major) return binaries;
    throw new Error(`The programs in ${bin} belong to PostgreSQL ${found}, but the database was created by ${major}.`);
  }
  throw new Error(`There is no program postgres in ${folder}.`);
}

async function listDatabases(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database order by datname');
    return rows.map(({ datname }) => datname);
  } finally {
    await client.end();
  }
}
