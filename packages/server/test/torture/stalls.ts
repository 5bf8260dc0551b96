import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Measures how long this process could not run, because of itself or the machine. Delays that it sees in that time are
 * not the fault of others.
 */
export function watchStalls() {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return {
    /** The longest stall so far, in milliseconds. */
    worst: () => histogram.max / 1e6,
    stop: () => histogram.disable(),
  };
}
