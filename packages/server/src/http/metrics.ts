import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Clock, rememberFor } from '../clock/index.ts';
import { NEVER_MS, observeEventLoopLag } from './event-loop-lag.ts';

/** What Prometheus reads of one environment. */
export class Metrics {
  /** What this process did. Where several processes serve together, it is added up. */
  readonly #own = new Registry();
  /** What any process would find, such as what waits in the database. Of several processes, one is asked. */
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

  /** Only what is added up over processes. */
  readOwn(): Promise<string> {
    return this.#own.metrics();
  }

  /** Only what any process would find. */
  readCommon(): Promise<string> {
    return this.#common.metrics();
  }

  /** The children are kept by route, since looking one up by its labels costs more than counting. */
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

  /** A value read when Prometheus asks. Of several processes that serve together, only the one that works in the background is asked. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    makeGauge(this.#common, name, help, read);
  }

  /** The same for what each process has for itself, such as its connections. */
  ownGauge(name: string, help: string, read: () => number | Promise<number>): void {
    makeGauge(this.#own, name, help, read);
  }

  /**
   * Values that cost a query: asked at most once in five seconds, however often metrics are scraped. Metrics matter
   * most while something is away, so none keeps the others waiting: what is not answered within a second is NaN.
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

  /** A count for each value of one label, which has few values. */
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
    observeEventLoopLag(registry, prefix);
    return registry;
  }
}

function makeGauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const collect = async (): Promise<void> => gauge.set(await read());
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
}
