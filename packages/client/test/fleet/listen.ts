import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a free port of this machine. */
export async function listenHere(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** The port of a listening server, or 0. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}
