import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersHere, URL_FILE } from './answers-here.ts';
import { chooseAddress } from './choose-address.ts';
import { chooseRuntime } from './choose-identity.ts';
import { clusterUrl } from './cluster-url.ts';
import { createDatabases, writeCheckpoint } from './create-databases.ts';
import { endLeftovers } from './end-postgres.ts';
import { keepRunning, type RunningServer } from './keep-running.ts';
import { type FolderLock, findHolder, lockFolder } from './lock-folder.ts';
import { prepareCluster } from './prepare-cluster.ts';

export { killPostgresIn } from './end-postgres.ts';
export { findHolder, lockFolder } from './lock-folder.ts';
export { type OldCluster, replaceCluster, startOldCluster } from './start-old-cluster.ts';

export interface EmbeddedPostgres {
  /** A connection string; it stays the same for the lifetime of this object, across restarts of the server. */
  urlOf(database: string): string;
  /** The postmaster's PID; changes after a restart. */
  readonly pid: number;
  /** Shortens a later shutdown; the server keeps serving. */
  prepareStop(): Promise<void>;
  /** Fast shutdown, awaited; open connections are ended. Releases the data folder. Safe to call twice. */
  stop(): Promise<void>;
  /** Called whenever the server ends without a call of stop(). It is restarted automatically. */
  onExit(listener: (reason: string) => void): void;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  databases: string[];
  /** Server settings that override ours, except for those that durability depends on. */
  settings?: Record<string, string>;
  /** False only for temporary data, as in tests: a power failure would corrupt it. */
  isDurable?: boolean;
  log: (message: string, fields?: object) => void;
  /** Called when another process has taken the folder, after the server was killed. */
  onLost?: () => void;
}

/**
 * Runs the real PostgreSQL on a cluster in `<dataDir>/postgres`, and creates the cluster and databases if they are
 * missing. Throws an Error with one clear sentence if another live process has the folder or if PostgreSQL cannot run
 * here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 });
  // Symbolic links are resolved once, because processes are recognized by their real working directory.
  const dataDir = await realpath(options.dataDir);
  let server: RunningServer | undefined;
  const lock = await lockFolder(dataDir, {
    log: options.log,
    onLost: () => {
      options.log('another process has taken the data folder; killed the embedded PostgreSQL', { dataDir });
      void Promise.resolve(server?.abandon()).finally(() => options.onLost?.());
    },
  });
  try {
    return await startLocked({ ...options, dataDir }, lock, (started) => {
      server = started;
    });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(
  options: EmbeddedPostgresOptions,
  lock: FolderLock,
  onStarted: (server: RunningServer) => void,
): Promise<EmbeddedPostgres> {
  const { dataDir, databases, settings = {}, isDurable = true, log } = options;
  const runtime = await chooseRuntime(dataDir);
  const cluster = await prepareCluster(dataDir, runtime);
  if (await endLeftovers(cluster.dir, runtime.binaries, () => answersHere(dataDir)))
    log('stopped a PostgreSQL that an earlier start had left running');
  const address = await chooseAddress(dataDir, runtime.identity);
  const ownsFolder = () => lock.isOurs().catch(() => false);
  const server = await keepRunning({ runtime, clusterDir: cluster.dir, address, settings, isDurable, log, ownsFolder });
  onStarted(server);
  const urlOf = (database: string) => clusterUrl(cluster.password, address, database);
  try {
    await createDatabases(urlOf, databases);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const urlFile = join(dataDir, URL_FILE);
  await writeFile(urlFile, urlOf(ANY_DATABASE), { mode: 0o600 });
  const stopAndRelease = async () => {
    if (await ownsFolder()) await rm(urlFile, { force: true });
    await server.stop();
    await lock.release();
  };
  let stopped: Promise<void> | undefined;
  return {
    urlOf,
    get pid() {
      return server.pid();
    },
    prepareStop: () => writeCheckpoint(urlOf),
    stop: () => {
      stopped ??= stopAndRelease();
      return stopped;
    },
    onExit: server.onExit,
  };
}

/**
 * The PostgreSQL of a running service on this folder, for commands alongside it; undefined if none runs. A user who may
 * read the folder's secrets may also use its database.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<{ urlOf(database: string): string } | undefined> {
  if ((await findHolder(dataDir)) === undefined) {
    return undefined;
  }
  const text = await readFile(join(dataDir, URL_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) {
    return undefined;
  }
  return { urlOf: (database) => text.replace(`/${ANY_DATABASE}`, `/${encodeURIComponent(database)}`) };
}

const ANY_DATABASE = 'postgres-any-database';
