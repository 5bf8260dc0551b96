import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures how long this process could not run, because of itself or the machine: what it sees late is not the fault of others. */
export function watchStalls() {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return {
    /** The longest so far, in milliseconds. */
    worst: () => histogram.max / 1e6,
    stop: () => histogram.disable(),
  };
}
