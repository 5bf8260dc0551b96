import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { LONGEST_SOCKET_PATH, SOCKET_FOLDER, SOCKET_NAME } from './choose-address.ts';

/** Where the address of the running PostgreSQL is stored, for commands alongside the service. */
export const URL_FILE = 'postgres-url';

/**
 * Whether a PostgreSQL answers at the last address of this folder's cluster. It finds servers that are not in the
 * process table, such as those of another container that shares the folder. A socket in a shared folder works across
 * all namespaces of one machine, but not from another machine.
 */
export async function answersHere(dataDir: string): Promise<boolean> {
  const url = await readFile(join(dataDir, URL_FILE), 'utf8').catch(() => '');
  return (await answersOnSocket(join(dataDir, SOCKET_FOLDER))) || (await answersOnLoopback(url));
}

async function answersOnSocket(folder: string): Promise<boolean> {
  const path = join(folder, SOCKET_NAME);
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) {
    return accepts(path);
  }
  if (process.platform !== 'linux') {
    return false;
  }
  // The process that created the socket may have had a shorter path. Through an open folder handle, every path is
  // short.
  const handle = await open(folder).catch(() => undefined);
  try {
    return handle !== undefined && (await accepts(`/proc/self/fd/${handle.fd}/${SOCKET_NAME}`));
  } finally {
    await handle?.close();
  }
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // The server is alive, but its accept queue is full.
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}

/** Another program may use the port now, so only a server that accepts this cluster's password counts. */
async function answersOnLoopback(url: string): Promise<boolean> {
  if (URL.parse(url)?.hostname !== '127.0.0.1') {
    return false;
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // These errors come from a running server: no such database, starting up, full.
    return error instanceof Error && 'code' in error && /^(?:3D000|57P03|53300)$/.test(String(error.code));
  } finally {
    await client.end().catch(() => undefined);
  }
}
