import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Identity } from './choose-identity.ts';
import { giveTo } from './prepare-cluster.ts';

/** Where the server listens: `host` is a folder (absolute path) for a Unix socket, otherwise a loopback address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The folder of the socket, in the data folder, and the socket's name in it. */
export const SOCKET_FOLDER = 'run';
const socketPort = 5432;
export const SOCKET_NAME = `.s.PGSQL.${socketPort}`;

/** sun_path holds 108 bytes on Linux and 104 elsewhere, one of them the closing zero. */
export const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
/**
 * A Unix socket in a private folder, which no other user of the machine can reach and which needs no free port; TCP on
 * loopback where the path would be too long and on Windows.
 */
export async function chooseAddress(dataDir: string, identity: Identity): Promise<Address> {
  const folder = join(dataDir, SOCKET_FOLDER);
  const socketPath = join(folder, SOCKET_NAME);
  // The setting is a list in which commas and quotes have a special meaning.
  const isUsable = Buffer.byteLength(socketPath) <= LONGEST_SOCKET_PATH && !/[",\\]/.test(folder);
  if (process.platform === 'win32' || !isUsable) return { host: '127.0.0.1', port: await findFreePort() };
  // None of our processes runs at this point; a leftover socket lock names a PID that may belong to another process by
  // now.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await giveTo(identity, folder);
  return { host: folder, port: socketPort };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free TCP port was found on 127.0.0.1.');
  return address.port;
}
