import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Clock, rememberFor } from '../clock/index.ts';
import { NEVER_MS, observeEventLoopLag } from './event-loop-lag.ts';

/** The Prometheus metrics of one environment. */
export class Metrics {
  /** Metrics of this process. If several processes serve together, they are summed. */
  readonly #own = new Registry();
  /**
   * Metrics that are the same for any process, such as queues in the database. Only one of several processes is
   * queried.
   */
  readonly #common = new Registry();
  readonly #duration: Histogram<'route' | 'method' | 'status'>;
  readonly #children = new Map<object, Map<number, { observe(seconds: number): void }>>();

  constructor(environment: string) {
    this.#own.setDefaultLabels({ environment });
    this.#common.setDefaultLabels({ environment });
    this.#duration = new Histogram({
      name: 'seathold_http_request_duration_seconds',
      help: 'Time from the arrival of a request to its response, in seconds.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.#own],
    });
  }

  /** Everything, as Prometheus text. */
  async read(): Promise<string> {
    return (await this.readOwn()) + (await this.readCommon());
  }

  /** Only the metrics that are summed over processes. */
  readOwn(): Promise<string> {
    return this.#own.metrics();
  }

  /** Only the metrics that are the same for any process. */
  readCommon(): Promise<string> {
    return this.#common.metrics();
  }

  /** The children are cached by route, because looking one up by its labels costs more than counting. */
  observe(route: { path: string; method: string }, status: number, durationMs: number): void {
    let children = this.#children.get(route);
    if (children === undefined) {
      children = new Map();
      this.#children.set(route, children);
    }
    let child = children.get(status);
    if (child === undefined) {
      child = this.#duration.labels({ route: route.path, method: route.method, status: String(status) });
      children.set(status, child);
    }
    child.observe(durationMs / 1000);
  }

  /**
   * A value read on each scrape. If several processes serve together, only the one with the background work is queried.
   */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    makeGauge(this.#common, name, help, read);
  }

  /** The same for values of each process, such as its connections. */
  ownGauge(name: string, help: string, read: () => number | Promise<number>): void {
    makeGauge(this.#own, name, help, read);
  }

  /**
   * Values that need a query, which runs at most once every five seconds, regardless of the scrape rate. Metrics matter
   * most during an outage, so none may delay the others: a value that takes longer than a second is NaN.
   */
  gauges<Key extends string>(
    all: Readonly<Record<Key, { name: string; help: string }>>,
    clock: Clock,
    ask: () => Promise<Readonly<Record<Key, number>>>,
  ): void {
    const remembered = rememberFor(5_000, clock, ask);
    const find = () => Promise.race([remembered(), sleep(1_000, undefined, { ref: false })]).catch(() => undefined);
    for (const key in all) {
      const { name, help } = all[key];
      this.gauge(name, help, async () => (await find())?.[key] ?? Number.NaN);
    }
  }

  counter(name: string, help: string): { add(count: number): void } {
    const counter = new Counter({ name, help, registers: [this.#own] });
    return { add: (count) => counter.inc(count) };
  }

  /** A counter per value of one label with few values. */
  labeledCounter(name: string, help: string, label: string): { count(value: string): void } {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.#own] });
    return { count: (value) => counter.inc({ [label]: value }) };
  }

  histogram(name: string, help: string, buckets: number[]): { observe(value: number): void } {
    return new Histogram({ name, help, buckets, registers: [this.#own] });
  }

  /** The process's own memory, CPU and event loop; once for both environments. */
  static ofProcess(): Registry {
    const registry = new Registry();
    const prefix = 'seathold_';
    collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision: NEVER_MS });
    // Gauges named like counters. Each is only the sum of the gauge without `_total`.
    for (const kind of ['handles', 'requests', 'resources']) {
      registry.removeSingleMetric(`${prefix}nodejs_active_${kind}_total`);
    }
    observeEventLoopLag(registry, prefix);
    return registry;
  }
}

function makeGauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const collect = async (): Promise<void> => gauge.set(await read());
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}
