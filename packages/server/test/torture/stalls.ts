import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures how long this process was kept from running, by itself or by the machine: what it sees late, it cannot blame on others. */
export function watchStalls() {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return {
    /** The longest so far, in milliseconds. */
    worst: () => histogram.max / 1e6,
    stop: () => histogram.disable(),
  };
}
