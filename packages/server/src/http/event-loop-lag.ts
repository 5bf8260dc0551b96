import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * How late the event loop runs its timers, under the names that prom-client uses. Its own gauges sample every 10 ms, which
 * wakes an idle process a hundred times a second, and they count those 10 ms as lag.
 */
export function observeEventLoopLag(registry: Registry, prefix: string): void {
  const histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  histogram.enable();
  const collect = () => {
    for (const { gauge, read } of gauges) {
      gauge.set(histogram.count === 0 ? 0 : Math.max(0, read(histogram) / 1e9 - SAMPLE_MS / 1000));
    }
    histogram.reset();
  };
  const gauges = FIGURES.map(([suffix, figure, read], at) => {
    const name = `${prefix}nodejs_eventloop_lag_${suffix}_seconds`;
    const help = `${figure} event loop lag since the last scrape, in seconds.`;
    registry.removeSingleMetric(name);
    // The registry asks its gauges in order, so the first one reads for all.
    const gauge = new Gauge({ name, help, registers: [registry], ...(at === 0 ? { collect } : {}) });
    return { gauge, read };
  });
  registry.removeSingleMetric(`${prefix}nodejs_eventloop_lag_stddev_seconds`);
}

const FIGURES: ReadonlyArray<
  readonly [string, string, (histogram: ReturnType<typeof monitorEventLoopDelay>) => number]
> = [
  ['min', 'Shortest', ({ min }) => min],
  ['mean', 'Mean', ({ mean }) => mean],
  ['p50', '50th percentile of the', (histogram) => histogram.percentile(50)],
  ['p90', '90th percentile of the', (histogram) => histogram.percentile(90)],
  ['p99', '99th percentile of the', (histogram) => histogram.percentile(99)],
  ['max', 'Longest', ({ max }) => max],
];
/** Each sample wakes the process. Ten a second took a sixth of the processor time of an idle service. */
const SAMPLE_MS = 500;

/** The precision for prom-client's own gauges, with which their timer practically never runs. */
export const NEVER_MS = 2 ** 31 - 1;
