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

/** The duties of a request process. */
export interface Duties {
  take(environment: EnvironmentName, socket: Socket): void;
  reloadCertificate(environment: EnvironmentName, cert: string, key: string): void;
  setLogLevel(level: LogLevel): void;
  readMetrics(): Promise<ProcessMetrics>;
  drain(): void;
  stop(graceMs: number): void;
  /** The supervisor has died, and with it the ports, the background work and the embedded database. */
  orphaned(): void;
}

/** The request process's side: the messages that it receives and the requests that it sends. */
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

  /** Tells the supervisor that it is ready for connections. */
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

  /** Why the background process is not ready; undefined if it is. */
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
    // The client may have disconnected while the connection was being passed.
    if (!isSocket(socket) || this.#duties === undefined) {
      this.#send({ kind: 'taken', id });
      this.#send({ kind: 'closed', id });
      return;
    }
    this.#send({ kind: 'taken', id });
    // As set by the listener; this is not sent with the connection.
    socket.allowHalfOpen = true;
    socket.once('close', () => this.#send({ kind: 'closed', id }));
    this.#duties.take(environment, socket);
  }

  #send(message: ToSupervisor): void {
    // A failure to send need not be reported, because 'disconnect' reports that the other end is gone.
    process.send?.(message, undefined, {}, () => undefined);
  }
}

/** Only a supervisor with a blocked event loop takes this long, and requests must not wait for it. */
const ANSWER_WITHIN_MS = 2_000;

function isSocket(handle: unknown): handle is Socket {
  return typeof handle === 'object' && handle !== null && 'allowHalfOpen' in handle;
}
