import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type Binaries, copyBinaries, locateInstalledBinaries } from './locate-binaries.ts';

/** The user that PostgreSQL runs as: it refuses to run as root. */
export interface Identity {
  readonly name: string;
  /** Put before every command. */
  readonly prefix: readonly string[];
  readonly spawnAs: { uid?: number; gid?: number };
  /** The required owner of the cluster's files; undefined for the user that runs this process. */
  readonly owner: { uid: number; gid: number } | undefined;
}

export interface Runtime {
  readonly binaries: Binaries;
  readonly identity: Identity;
}

const ourselves: Identity = { name: 'the same user', prefix: [], spawnAs: {}, owner: undefined };

/**
 * Finds out by trying how PostgreSQL can run on this machine: with which copy of its programs, and as which user.
 * Throws an Error with advice if nothing works.
 */
export async function chooseRuntime(dataDir: string): Promise<Runtime> {
  const identities = process.getuid?.() === 0 ? await identitiesForRoot(dataDir) : [ourselves];
  const reasons: string[] = [];
  for (const locate of [locateInstalledBinaries, () => copyBinaries(dataDir)]) {
    const binaries = await locate();
    if (binaries === undefined) continue;
    for (const identity of identities) {
      const failure = await tryIdentity(identity, binaries, dataDir);
      if (failure === undefined) return { binaries, identity };
      reasons.push(`as ${identity.name}: ${failure}`);
    }
  }
  throw new Error(
    `The embedded PostgreSQL cannot run here (${reasons.join('; ')}). Start as an ordinary user, use a data folder that other users can access, or set DATABASE_URL to an external PostgreSQL.`,
  );
}

/** The same for given programs. */
export async function chooseIdentity(binaries: Binaries, dataDir: string): Promise<Identity> {
  const identities = process.getuid?.() === 0 ? await identitiesForRoot(dataDir) : [ourselves];
  const reasons: string[] = [];
  for (const identity of identities) {
    const failure = await tryIdentity(identity, binaries, dataDir);
    if (failure === undefined) return identity;
    reasons.push(`as ${identity.name}: ${failure}`);
  }
  throw new Error(`${binaries.postgres} cannot run here (${reasons.join('; ')}).`);
}

/** Starts one of PostgreSQL's programs as this identity, in its own process group and without our environment. */
export function spawnAs(identity: Identity, command: string, args: readonly string[], options: SpawnOptions) {
  const [first = command, ...rest] = [...identity.prefix, command, ...args];
  // Our environment contains secrets and PG* variables that would change the behavior of the programs. Windows requires
  // it.
  const environment = { PATH: '/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  const env = process.platform === 'win32' ? {} : { env: environment };
  return spawn(first, rest, { ...options, ...identity.spawnAs, ...env, detached: true, windowsHide: true });
}

/** The identities as which a root process can run PostgreSQL, the least intrusive first. */
export async function identitiesForRoot(dataDir: string): Promise<Identity[]> {
  const { uid, gid } = await stat(dataDir);
  const nobody = { uid: 65534, gid: 65534 };
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    // Root with another number: it can still read files of root, so folders that only root may enter work.
    {
      name: 'a mapped user',
      prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'],
      spawnAs: {},
      owner: { uid: 0, gid: 0 },
    },
    ...(uid === 0 ? [] : [{ name: "the folder's owner", prefix: [], spawnAs: { uid, gid }, owner: { uid, gid } }]),
    { name: 'nobody', prefix: [], spawnAs: nobody, owner: nobody },
    // Containers commonly forbid user namespaces and have the checkout in /root, which the user nobody may not enter.
    // One capability allows that; PostgreSQL only requires that it is not root.
    {
      name: 'nobody with access to all files',
      prefix: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...capability],
      spawnAs: {},
      owner: nobody,
    },
  ];
}

/** Why this identity cannot run the programs or enter the data folder; undefined if it can do both. */
export async function tryIdentity(
  identity: Identity,
  binaries: Binaries,
  dataDir: string,
): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const script = '"$1" --version >/dev/null && "$2" --version >/dev/null && cd "$3"';
  const args = ['-c', script, 'sh', binaries.postgres, binaries.initdb, dataDir];
  const child = spawnAs(identity, 'sh', args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  try {
    const [code] = await once(child, 'close');
    return code === 0 ? undefined : complaint.trim() || `exit code ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
