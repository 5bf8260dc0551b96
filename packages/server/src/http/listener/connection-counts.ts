import type { Socket } from 'node:net';
import { clientKey } from '../rate-limit/index.ts';

/** Counts the open connections of each client, so that one client cannot use up the listener's connections. */
export class ConnectionCounts {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a connection; returns false, without counting, if the client is at its limit. */
  add(client: string): boolean {
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(client, count + 1);
    return true;
  }

  remove(client: string): void {
    const count = this.#counts.get(client) ?? 0;
    if (count > 1) this.#counts.set(client, count - 1);
    else this.#counts.delete(client);
  }
}

/**
 * Counts a connection under its client's address, or ends it. A trusted proxy brings everyone's connections, so it is
 * not limited. A refusal costs neither a handshake nor a response.
 */
export function limitByAddress(max: number, isTrusted: (address: string) => boolean): (socket: Socket) => boolean {
  const counts = new ConnectionCounts(max);
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address)) return true;
    const client = clientKey(address);
    if (!counts.add(client)) {
      socket.on('error', () => undefined).resetAndDestroy();
      return false;
    }
    socket.once('close', () => counts.remove(client));
    return true;
  };
}
