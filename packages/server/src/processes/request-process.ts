import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import {
  type EnvironmentName,
  isToSupervisor,
  type Order,
  type ProcessMetrics,
  type Question,
  type ToProcess,
  type ToSupervisor,
} from './messages.ts';
import { Questions } from './questions.ts';

/** The callbacks of a request process. */
export interface RequestProcessEvents {
  onReady(process: RequestProcess): void;
  onRing(environment: EnvironmentName, job: string): void;
  onQuestion(question: Question): unknown;
  /** It has exited; its connections are those passed to it. */
  onEnd(process: RequestProcess, how: { code: number | null; signal: string | null }): void;
}

/** A connection passed to a process. */
export interface HandedConnection {
  environment: EnvironmentName;
  /** Kept until the process confirms it: if it dies before that, another one gets it. */
  socket: Socket | undefined;
  /** The process has finished with it, or has exited. */
  release(): void;
}

/** One request process, as its supervisor sees it. */
export class RequestProcess {
  readonly name: string;
  readonly order: Order;
  readonly startedAtMs = performance.now();
  readonly connections = new Map<number, HandedConnection>();
  readonly ended: Promise<void>;
  isReady = false;
  readonly #child: ChildProcess;
  readonly #questions = new Questions();
  readonly #events: RequestProcessEvents;

  /** Starts the program in `file`, which does nothing before it receives its order. */
  constructor(file: URL, order: Order, events: RequestProcessEvents) {
    this.name = order.name;
    this.order = order;
    this.#events = events;
    this.#child = fork(file, [], { stdio: 'inherit' });
    this.#child.on('message', (message) => {
      if (isToSupervisor(message)) {
        this.#receive(message);
      }
    });
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    let hasEnded = false;
    const end = (code: number | null, signal: string | null) => {
      if (!hasEnded) {
        hasEnded = true;
        this.isReady = false;
        events.onEnd(this, { code, signal });
        ended.resolve();
      }
    };
    this.#child.on('exit', end);
    this.#child.on('error', () => (this.#child.pid === undefined ? end(null, null) : undefined));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  serves(environment: EnvironmentName): boolean {
    return this.order.serves.includes(environment);
  }

  send(message: ToProcess): void {
    // A failure to send need not be reported, because the process is about to be reported as ended.
    this.#child.send(message, () => undefined);
  }

  /** Passes on a connection, which the sender no longer reads. */
  hand(id: number, connection: HandedConnection): void {
    this.connections.set(id, connection);
    const { environment, socket } = connection;
    this.#child.send({ kind: 'connection', id, environment }, socket, { keepOpen: true }, () => undefined);
  }

  async readMetrics(withinMs: number): Promise<ProcessMetrics | undefined> {
    const value = await this.#questions
      .ask((id) => this.send({ kind: 'ask', id, question: 'metrics' }), withinMs)
      .catch(() => undefined);
    return isProcessMetrics(value) ? value : undefined;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #receive(message: ToSupervisor): void {
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        this.#events.onReady(this);
        break;
      case 'taken':
        this.#forgetSocket(message.id);
        break;
      case 'closed':
        this.connections.get(message.id)?.release();
        this.connections.delete(message.id);
        break;
      case 'ask':
        void this.#answer(message.id, message.question);
        break;
      case 'answer':
        this.#questions.settle(message.id, message.value);
        break;
      case 'ring':
        this.#events.onRing(message.environment, message.job);
        break;
    }
  }

  #forgetSocket(id: number): void {
    const connection = this.connections.get(id);
    // The connection continues in the other process: this only closes a descriptor, which the client does not notice.
    connection?.socket?.destroy();
    if (connection !== undefined) {
      connection.socket = undefined;
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    const value = await this.#events.onQuestion(question);
    this.send({ kind: 'answer', id, value });
  }
}

function isProcessMetrics(value: unknown): value is ProcessMetrics {
  return typeof value === 'object' && value !== null && 'environments' in value && 'process' in value;
}
