import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * A route to PostgreSQL that can fall silent, like a network that loses its packets: nothing is refused, and nothing
 * arrives.
 */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;

  private constructor(connectToPostgres: () => Socket) {
    this.#server = createServer((near) => {
      const far = connectToPostgres();
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        // Copied instead of piped, because a pipe would resume a paused socket.
        one.on('data', (chunk) => other.write(chunk));
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        if (this.#isFrozen) {
          one.pause();
        }
      }
    });
  }

  /** @param databaseUrl names the server: a socket in a folder, or a port. */
  static async start(databaseUrl: string): Promise<TcpProxy> {
    const { port, hostname, searchParams } = new URL(databaseUrl);
    const folder = searchParams.get('host');
    const proxy = new TcpProxy(() =>
      folder === null ? connect(Number(port), hostname) : connect(join(folder, `.s.PGSQL.${port}`)),
    );
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The same database through the proxy. */
  through(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    const address = this.#server.address();
    url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    url.search = '';
    return url.href;
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) {
      socket.pause();
    }
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) {
      socket.resume();
    }
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }
}
