import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** Where connections are accepted, and how each is handled. */
export interface AcceptOptions {
  host: string;
  port: number;
  /** Open connections; more are dropped as they arrive. */
  maxConnections: number;
  /** Does not read from connections, because another process will. */
  isPaused?: boolean;
  take(socket: Socket): void;
}

/** A port on which connections are accepted. */
export interface Acceptor {
  readonly port: number;
  readonly address: string;
  /** Stops accepting; resolves when the last connection is closed. */
  close(): Promise<void>;
}

/**
 * Accepts connections on the address, or for `localhost` on both loopback addresses if they exist, because clients may
 * try either first.
 */
export async function acceptConnections(options: AcceptOptions): Promise<Acceptor> {
  const { host } = options;
  const first = await open(options, host === 'localhost' ? '127.0.0.1' : host, options.port);
  const second = host === 'localhost' ? await open(options, '::1', first.port).catch(ignoreMissingAddress) : undefined;
  const servers = second === undefined ? [first.tcp] : [first.tcp, second.tcp];
  return {
    port: first.port,
    address: first.address,
    close: async () => {
      await Promise.all(servers.map((tcp) => new Promise((resolve) => tcp.close(resolve))));
    },
  };
}

async function open({ maxConnections, isPaused = false, take }: AcceptOptions, address: string, port: number) {
  const tcp = createTcpServer({ allowHalfOpen: true, noDelay: true, keepAlive: true, pauseOnConnect: isPaused }, take);
  tcp.maxConnections = maxConnections;
  return { tcp, ...(await bind(tcp, address, port)) };
}

/** A machine without IPv6 is not an error, but a port in use is. */
function ignoreMissingAddress(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) {
    return undefined;
  }
  throw error;
}

async function bind(tcp: Server, host: string, port: number): Promise<{ port: number; address: string }> {
  tcp.listen({ host, port });
  await once(tcp, 'listening');
  // Running out of file descriptors must not end the process: the next accept may succeed.
  tcp.on('error', () => undefined);
  const bound = tcp.address();
  if (bound === null || typeof bound === 'string') throw new Error('The TCP server has no address.');
  return { port: bound.port, address: bound.address };
}
