import type { Socket } from 'node:net';
import { type RateLimiter, RelayedLimiter, type RelayedRequest } from '../http/index.ts';
import type { LogLevel } from '../log/index.ts';
import {
  type EnvironmentName,
  isToProcess,
  type Order,
  type ProcessMetrics,
  type Question,
  type ToProcess,
  type ToSupervisor,
} from './messages.ts';
import { Questions } from './questions.ts';

/** What the supervisor makes a request process do. */
export interface Duties {
  take(environment: EnvironmentName, socket: Socket): void;
  reloadCertificate(environment: EnvironmentName, cert: string, key: string): void;
  setLogLevel(level: LogLevel): void;
  readMetrics(): Promise<ProcessMetrics>;
  drain(): void;
  stop(graceMs: number): void;
  /** The supervisor has died, and with it everything that only it has: the ports, the background work, the embedded database. */
  orphaned(): void;
}

/** The side of a request process: the messages that it gets and the requests that it makes. */
export class SupervisorLink {
  readonly #questions = new Questions();
  readonly #order = Promise.withResolvers<Order>();
  #duties: Duties | undefined;
  #isOrphaned = false;

  constructor() {
    process.on('message', (message, handle) => {
      if (isToProcess(message)) {
        this.#receive(message, handle);
      }
    });
    process.on('disconnect', () => {
      this.#isOrphaned = true;
      this.#order.reject(new Error('the process that supervises this one has ended'));
      this.#duties?.orphaned();
    });
  }

  /** Rejects when the supervisor ends first. */
  get order(): Promise<Order> {
    return this.#order.promise;
  }

  /** Tells the supervisor that connections can come. */
  begin(duties: Duties): void {
    this.#duties = duties;
    this.#send({ kind: 'ready' });
    if (this.#isOrphaned) {
      duties.orphaned();
    }
  }

  /** Counts requests together with all other processes. */
  limiter(environment: EnvironmentName): RateLimiter {
    return new RelayedLimiter(async (requests: readonly RelayedRequest[]) => {
      const answers = await this.#ask({ about: 'limits', environment, requests });
      return Array.isArray(answers) ? answers : [];
    });
  }

  /** The metrics of all processes together. */
  async readMetrics(environment: EnvironmentName): Promise<string> {
    return String(await this.#ask({ about: 'metrics', environment }));
  }

  /** Why the background process cannot do its part; undefined when it can. */
  async whyNotReady(environment: EnvironmentName): Promise<string | undefined> {
    const reason = await this.#ask({ about: 'readiness', environment }).catch(
      () => 'the background process does not answer',
    );
    return typeof reason === 'string' ? reason : undefined;
  }

  /** There is work for a job that only the supervisor runs. */
  ring(environment: EnvironmentName, job: string): void {
    this.#send({ kind: 'ring', environment, job });
  }

  #ask(question: Question): Promise<unknown> {
    return this.#questions.ask((id) => this.#send({ kind: 'ask', id, question }), ANSWER_WITHIN_MS);
  }

  #receive(message: ToProcess, handle: unknown): void {
    switch (message.kind) {
      case 'begin':
        this.#order.resolve(message.order);
        break;
      case 'connection':
        this.#take(message, handle);
        break;
      case 'ask':
        void this.#duties?.readMetrics().then((value) => this.#send({ kind: 'answer', id: message.id, value }));
        break;
      case 'answer':
        this.#questions.settle(message.id, message.value);
        break;
      case 'certificate':
        this.#duties?.reloadCertificate(message.environment, message.cert, message.key);
        break;
      case 'log-level':
        this.#duties?.setLogLevel(message.level);
        break;
      case 'drain':
        this.#duties?.drain();
        break;
      case 'stop':
        this.#duties?.stop(message.graceMs);
        break;
    }
  }

  #take({ id, environment }: { id: number; environment: EnvironmentName }, socket: unknown): void {
    // The client may have gone while the connection was on its way.
    if (!isSocket(socket) || this.#duties === undefined) {
      this.#send({ kind: 'taken', id });
      this.#send({ kind: 'closed', id });
      return;
    }
    this.#send({ kind: 'taken', id });
    // As the listener accepted it; this does not travel with the connection.
    socket.allowHalfOpen = true;
    socket.once('close', () => this.#send({ kind: 'closed', id }));
    this.#duties.take(environment, socket);
  }

  #send(message: ToSupervisor): void {
    // What cannot be sent needs no report: the other end is gone, and 'disconnect' says so.
    process.send?.(message, undefined, {}, () => undefined);
  }
}

/** Only a supervisor whose event loop is blocked takes this long, and requests are not to wait for it. */
const ANSWER_WITHIN_MS = 2_000;

function isSocket(handle: unknown): handle is Socket {
  return typeof handle === 'object' && handle !== null && 'allowHalfOpen' in handle;
}
