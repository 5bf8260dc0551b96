import { randomBytes } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type Listener, mergeMetrics, RelayTarget } from '../http/index.ts';
import type { Logger, LogLevel } from '../log/index.ts';
import { labelProcess, MetricsSum } from './add-up-metrics.ts';
import type { EnvironmentName, Order, Question } from './messages.ts';
import { RequestProcess } from './request-process.ts';
import { pauseBeforeRestart, sandboxProcesses } from './restart-rules.ts';
import { SharedPort, type SharedPortOptions } from './shared-port.ts';

/** Questions to the supervisor itself, which does the background work. */
export interface Background {
  whyNotReady(environment: EnvironmentName): Promise<string | undefined>;
  /** `own` is summed with the metrics of the request processes; `common` is used unchanged. */
  readMetrics(environment: EnvironmentName): Promise<{ own: string; common: string }>;
  readProcessMetrics(): Promise<string>;
  ring(environment: EnvironmentName, job: string): void;
}

/** The start options common to all request processes. */
export type CommonOrder = Pick<Order, 'settings' | 'urls' | 'version'>;

/** Starts request processes, passes them connections, and replaces dead ones. */
export class Supervisor {
  readonly #file: URL;
  readonly #count: number;
  readonly #log: Logger;
  readonly #ports = new Map<EnvironmentName, SharedPort>();
  readonly #limits = { production: new RelayTarget(), sandbox: new RelayTarget() };
  readonly #sums = { production: new MetricsSum(), sandbox: new MetricsSum() };
  readonly #ticketKeys = randomBytes(48).toString('base64');
  readonly #processes: RequestProcess[] = [];
  readonly #restarts = new Set<NodeJS.Timeout>();
  readonly #firstReady = Promise.withResolvers<void>();
  #background: Background | undefined;
  #common: CommonOrder | undefined;
  #quickDeaths = 0;
  #isDraining = false;
  #hasStarted = false;
  #stopping: Promise<void> | undefined;

  /** @param file is the program of a request process. */
  constructor(file: URL, count: number, log: Logger) {
    this.#file = file;
    this.#count = count;
    this.#log = log;
    this.#firstReady.promise.catch(() => undefined);
  }

  /** Starts the processes. Resolves when all of them are ready for connections; rejects if one ends before that. */
  async start(common: CommonOrder): Promise<void> {
    this.#common = common;
    for (let number = 1; number <= this.#count; number += 1) {
      this.#launch(number);
    }
    await this.#firstReady.promise;
    this.#hasStarted = true;
  }

  /** From now on, questions are answered. */
  work(background: Background): void {
    this.#background = background;
  }

  /** Opens a port shared by all processes that serve its environment. */
  async listen(options: Omit<SharedPortOptions, 'processes'>): Promise<Listener> {
    const { environment } = options;
    const port = await SharedPort.open({ ...options, processes: () => this.#processes });
    this.#ports.set(environment, port);
    return {
      port: port.port,
      address: port.address,
      reloadCertificate: (cert, key) => {
        // Throws if certificate and key do not match, before any process is notified.
        createSecureContext({ cert, key });
        this.#tellAll({ kind: 'certificate', environment, cert, key });
      },
      announceEnd: () => this.#drain(),
      close: (graceMs) => {
        port.close();
        return this.stop(graceMs);
      },
    };
  }

  setLogLevel(level: LogLevel): void {
    this.#tellAll({ kind: 'log-level', level });
  }

  /** Lets the processes finish their requests. May be called again with a shorter grace period. */
  stop(graceMs: number): Promise<void> {
    for (const timer of this.#restarts) {
      clearTimeout(timer);
    }
    const stopped = Promise.all(this.#processes.map((process) => this.#stop(process, graceMs)));
    this.#stopping ??= stopped.then(() => undefined);
    return this.#stopping;
  }

  async #stop(process: RequestProcess, graceMs: number): Promise<void> {
    if (!process.isReady) {
      process.kill();
    }
    process.send({ kind: 'stop', graceMs });
    const timer = setTimeout(() => process.kill(), graceMs + TIDYING_MS);
    await process.ended;
    clearTimeout(timer);
  }

  #drain(): void {
    if (!this.#isDraining) {
      this.#isDraining = true;
      this.#tellAll({ kind: 'drain' });
    }
  }

  #tellAll(message: Parameters<RequestProcess['send']>[0]): void {
    for (const process of this.#processes) {
      process.send(message);
    }
  }

  #launch(number: number): void {
    if (this.#common === undefined || this.#stopping !== undefined) {
      return;
    }
    const hasSandbox = this.#common.urls.sandbox !== undefined;
    const servesSandbox = hasSandbox && number > this.#count - sandboxProcesses(this.#count);
    const order: Order = {
      ...this.#common,
      name: `request-${number}`,
      processes: this.#count,
      serves: servesSandbox ? ['production', 'sandbox'] : ['production'],
      ticketKeys: this.#ticketKeys,
      isDraining: this.#isDraining,
    };
    const process = new RequestProcess(this.#file, order, {
      onReady: (ready) => this.#welcome(ready),
      onRing: (environment, job) => this.#background?.ring(environment, job),
      onQuestion: (question) => this.#answer(question),
      onEnd: (ended, how) => this.#replace(ended, number, how),
    });
    this.#processes.push(process);
    process.send({ kind: 'begin', order });
    this.#log.info({ request_process: order.name, pid: process.pid }, 'started a request process');
  }

  #welcome(process: RequestProcess): void {
    for (const port of this.#ports.values()) {
      port.flush(process);
    }
    if (this.#processes.length === this.#count && this.#processes.every((each) => each.isReady)) {
      this.#firstReady.resolve();
    }
  }

  #replace(process: RequestProcess, number: number, how: { code: number | null; signal: string | null }): void {
    this.#processes.splice(this.#processes.indexOf(process), 1);
    this.#sums.production.end(process);
    this.#sums.sandbox.end(process);
    const connections = [...process.connections.values()];
    process.connections.clear();
    if (this.#stopping !== undefined) {
      return;
    }
    for (const { environment, socket, release } of connections) {
      const port = this.#ports.get(environment);
      if (socket === undefined || port === undefined) {
        release();
      } else {
        port.takeBack(socket, release);
      }
    }
    const fields = { request_process: process.name, pid: process.pid, ...how };
    if (!this.#hasStarted) {
      this.#firstReady.reject(new Error(`The request process ${process.name} ended before it could serve.`));
      return;
    }
    const livedMs = performance.now() - process.startedAtMs;
    this.#quickDeaths = livedMs < QUICK_DEATH_MS ? this.#quickDeaths + 1 : 0;
    const pauseMs = pauseBeforeRestart(this.#quickDeaths);
    this.#log.error({ ...fields, pause_ms: pauseMs }, 'a request process died; starting another one');
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#launch(number);
    }, pauseMs);
    this.#restarts.add(timer);
  }

  async #answer(question: Question): Promise<unknown> {
    switch (question.about) {
      case 'limits':
        return this.#limits[question.environment].take(question.requests);
      case 'metrics':
        return this.#readMetrics(question.environment);
      case 'readiness':
        return this.#background === undefined
          ? 'the service is starting'
          : this.#background.whyNotReady(question.environment).catch(() => 'the database is unavailable');
    }
  }

  /** The metrics of an environment, for all processes together, and the state of each process. */
  async #readMetrics(environment: EnvironmentName): Promise<string> {
    const sum = this.#sums[environment];
    const told = await Promise.all(
      this.#processes.map(async (process) => {
        const metrics = await process.readMetrics(METRICS_WITHIN_MS);
        const counted = metrics?.environments[environment];
        if (counted !== undefined && this.#processes.includes(process)) {
          sum.note(process, counted);
        }
        return metrics === undefined ? '' : labelProcess(metrics.process, process.name);
      }),
    );
    const background = await this.#background?.readMetrics(environment);
    if (background !== undefined) {
      sum.note(this, background.own);
    }
    const own = labelProcess((await this.#background?.readProcessMetrics()) ?? '', BACKGROUND);
    return `${sum.write()}\n${background?.common ?? ''}\n${mergeMetrics([own, ...told])}`;
  }
}

/** The name of the supervising background process in the log and the metrics. */
export const BACKGROUND = 'background';

/** The time that a process needs to close its database connections, beyond its requests. */
const TIDYING_MS = 1_500;
/** A scrape includes the metrics of the other processes. */
const METRICS_WITHIN_MS = 1_000;
const QUICK_DEATH_MS = 10_000;
