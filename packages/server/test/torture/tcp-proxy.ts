import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to PostgreSQL that can fall silent, as a network does whose packets are lost: nothing is refused, nothing comes. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;

  private constructor(socketPath: string) {
    this.#server = createServer((near) => {
      const far = connect(socketPath);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        // Written by hand and not piped, since a pipe would resume what is paused.
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

  static async open(socketPath: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(socketPath);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The same database by way of the proxy. */
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
