import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Clock, rememberFor } from '../clock/index.ts';

/** What Prometheus reads of one environment. */
export class Metrics {
  readonly registry = new Registry();
  readonly #duration: Histogram<'route' | 'method' | 'status'>;
  readonly #children = new Map<object, Map<number, { observe(seconds: number): void }>>();

  constructor(environment: string) {
    this.registry.setDefaultLabels({ environment });
    this.#duration = new Histogram({
      name: 'seathold_http_request_duration_seconds',
      help: 'Time from the arrival of a request to its answer, in seconds.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
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

  /** A value read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const collect = async (): Promise<void> => gauge.set(await read());
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect });
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
    const counter = new Counter({ name, help, registers: [this.registry] });
    return { add: (count) => counter.inc(count) };
  }

  /** A count for each value of one label, which has few values. */
  labeledCounter(name: string, help: string, label: string): { count(value: string): void } {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.registry] });
    return { count: (value) => counter.inc({ [label]: value }) };
  }

  histogram(name: string, help: string, buckets: number[]): { observe(value: number): void } {
    return new Histogram({ name, help, buckets, registers: [this.registry] });
  }

  /** The process's own memory, CPU and event loop; once for both environments. */
  static ofProcess(): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry, prefix: 'seathold_' });
    return registry;
  }
}
