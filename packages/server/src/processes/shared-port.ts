import type { Socket } from 'node:net';
import { clientKey } from '../http/index.ts';
import { type Acceptor, acceptConnections, ConnectionCounts, defaultLimits } from '../http/listener/index.ts';
import type { EnvironmentName } from './messages.ts';
import type { RequestProcess } from './request-process.ts';

export interface SharedPortOptions {
  environment: EnvironmentName;
  host: string;
  port: number;
  maxConnectionsPerAddress: number;
  /** A trusted proxy brings everyone's connections, so it is not limited. */
  isTrusted(address: string): boolean;
  /** The live processes, ready or not. */
  processes(): readonly RequestProcess[];
}

/**
 * A port whose connections several processes serve. Connections are accepted here, unread, and each is passed to the
 * process with the fewest. So connection limits apply to all processes together, the port survives the death of a
 * process, and a connection that has not reached it yet goes to another one.
 */
export class SharedPort {
  readonly #options: SharedPortOptions;
  readonly #perAddress: ConnectionCounts;
  /** Connections that arrived while no process could take them. */
  readonly #waiting: Array<(process: RequestProcess) => void> = [];
  #acceptor: Acceptor | undefined;
  #connections = 0;
  #turn = 0;
  #isClosed = false;

  private constructor(options: SharedPortOptions) {
    this.#options = options;
    this.#perAddress = new ConnectionCounts(options.maxConnectionsPerAddress);
  }

  static async open(options: SharedPortOptions): Promise<SharedPort> {
    const shared = new SharedPort(options);
    const { host, port } = options;
    shared.#acceptor = await acceptConnections({
      host,
      port,
      maxConnections: Number.POSITIVE_INFINITY,
      isPaused: true,
      take: (socket) => shared.#accept(socket),
    });
    return shared;
  }

  get port(): number {
    return this.#acceptor?.port ?? 0;
  }

  get address(): string {
    return this.#acceptor?.address ?? '';
  }

  /** Passes waiting connections to a process that has just become ready. */
  flush(process: RequestProcess): void {
    if (process.serves(this.#options.environment)) {
      for (const hand of this.#waiting.splice(0)) {
        hand(process);
      }
    }
  }

  /** A process died: a connection that it had not taken yet goes to another one. */
  takeBack(socket: Socket, release: () => void): void {
    this.#place(socket, release);
  }

  /** Stops accepting. The processes finish their own connections. */
  close(): void {
    this.#isClosed = true;
    void this.#acceptor?.close();
  }

  #accept(socket: Socket): void {
    // Nothing is read here, so the only possible event is that the client disconnects.
    socket.on('error', () => socket.destroy());
    const { remoteAddress: address } = socket;
    if (address === undefined || this.#connections >= defaultLimits.maxConnections || this.#isClosed) {
      socket.destroy();
      return;
    }
    const client = this.#options.isTrusted(address) ? undefined : clientKey(address);
    if (client !== undefined && !this.#perAddress.add(client)) {
      socket.resetAndDestroy();
      return;
    }
    this.#connections += 1;
    this.#place(socket, () => {
      this.#connections -= 1;
      if (client !== undefined) {
        this.#perAddress.remove(client);
      }
    });
  }

  #place(socket: Socket, release: () => void): void {
    const { environment } = this.#options;
    const hand = (process: RequestProcess) => {
      lastId += 1;
      process.hand(lastId, { environment, socket, release });
    };
    const process = this.#chooseProcess();
    if (process === undefined) {
      this.#waiting.push(hand);
    } else {
      hand(process);
    }
  }

  /**
   * Connections are long-lived, so the number of open ones reflects a process's load better than the number it
   * received.
   */
  #chooseProcess(): RequestProcess | undefined {
    let chosen: RequestProcess | undefined;
    const processes = this.#options.processes();
    // Among equals they take turns.
    this.#turn += 1;
    const first = this.#turn % Math.max(1, processes.length);
    for (const process of [...processes.slice(first), ...processes.slice(0, first)]) {
      const canTake = process.isReady && process.serves(this.#options.environment);
      if (canTake && process.connections.size < (chosen?.connections.size ?? Number.POSITIVE_INFINITY)) {
        chosen = process;
      }
    }
    return chosen;
  }
}

let lastId = 0;
