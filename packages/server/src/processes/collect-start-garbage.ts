/**
 * Collects the garbage of the start once the process has been idle for a while. It is a quarter of the memory, and V8 would
 * keep it as long as the process stays idle; under load, V8 collects it by itself. Does nothing if Node.js was started
 * without `--expose-gc`.
 */
export function collectStartGarbage(): () => Promise<void> {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization < IDLE_BELOW) {
      clearInterval(timer);
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return async () => clearInterval(timer);
}

/** It takes about 100 ms, during which no request is served. */
const LOOK_EVERY_MS = 5_000;
const IDLE_BELOW = 0.05;
