import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenHere, portOf } from './listen.ts';

/**
 * What the network between the programs and the service does. `cut`: connections are reset, and new ones too. `frozen`:
 * nothing comes through, and later all of it. `vanished`: nothing comes through, and connections from that time
 * silently stay dead. `slow`: everything takes about a second. `garbled`: bytes are changed, and connections end
 * midway. `lying`: another server answers.
 */
export type Weather = 'fine' | 'cut' | 'frozen' | 'vanished' | 'slow' | 'garbled' | 'lying';

const MOST_DELAY_MS = 1_500;

/** A TCP proxy in front of the service. */
export class UnreliableNetwork {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #weather: Weather = 'fine';
  #servicePort = 0;
  #liarPort = 0;

  private constructor() {
    this.#server = createServer((near) => this.#accept(near));
  }

  static async start(): Promise<UnreliableNetwork> {
    const network = new UnreliableNetwork();
    await listenHere(network.#server);
    return network;
  }

  get port(): number {
    return portOf(this.#server);
  }

  lead(servicePort: number, liarPort: number): void {
    this.#servicePort = servicePort;
    this.#liarPort = liarPort;
  }

  change(weather: Weather): void {
    const before = this.#weather;
    this.#weather = weather;
    for (const link of this.#links) {
      if (weather === 'cut' || weather === 'lying' || before === 'lying') {
        link.reset();
      } else {
        link.meet(weather);
      }
    }
  }

  close(): void {
    this.#server.close();
    for (const link of this.#links) {
      link.reset();
    }
  }

  #accept(near: Socket): void {
    near.on('error', () => undefined);
    if (this.#weather === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.#weather === 'lying' ? this.#liarPort : this.#servicePort, '127.0.0.1');
    const link = new Link(near, far, () => this.#links.delete(link));
    this.#links.add(link);
    link.meet(this.#weather);
  }
}

/** One connection, in both directions. */
class Link {
  readonly #sockets: readonly Socket[];
  readonly #onClose: () => void;
  #weather: Weather = 'fine';
  #isDead = false;

  constructor(near: Socket, far: Socket, onClose: () => void) {
    this.#sockets = [near, far];
    this.#onClose = onClose;
    this.#carry(near, far);
    this.#carry(far, near);
  }

  meet(weather: Weather): void {
    this.#weather = weather;
    this.#isDead ||= weather === 'vanished';
    for (const socket of this.#sockets) {
      if (this.#isDead || weather === 'frozen') {
        socket.pause();
      } else {
        socket.resume();
      }
    }
  }

  reset(): void {
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
    }
  }

  #carry(from: Socket, to: Socket): void {
    let before = Promise.resolve();
    // Copied instead of piped, because a pipe would resume a paused socket.
    from.on('data', (chunk: Buffer) => {
      before = before.then(() => this.#pass(chunk, to));
    });
    from.on('error', () => this.reset());
    from.on('end', () => {
      before = before.then(() => void to.end());
    });
    from.on('close', () => {
      this.#onClose();
      if (!this.#isDead) {
        void before.then(() => to.destroy());
      }
    });
  }

  async #pass(chunk: Buffer, to: Socket): Promise<void> {
    if (this.#weather === 'slow') {
      await sleep(Math.random() * MOST_DELAY_MS);
    }
    if (this.#weather === 'garbled' && Math.random() < 0.5) {
      to.end(garble(chunk));
    } else if (!to.destroyed) {
      to.write(chunk);
    }
  }
}

/** Half of the bytes, one of them changed. */
function garble(chunk: Buffer): Buffer {
  const part = Buffer.from(chunk.subarray(0, Math.ceil(chunk.length / 2)));
  const place = Math.floor(Math.random() * part.length);
  part[place] = (part[place] ?? 0) ^ 0x55;
  return part;
}
