/**
 * Collects the garbage of the start, once. It is a quarter of the memory, and V8 would keep it as long as the process is
 * idle. Does nothing if Node.js was started without `--expose-gc`.
 */
export function collectStartGarbage(): () => Promise<void> {
  const timer = setTimeout(
    () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    AFTER_MS,
  );
  timer.unref();
  return async () => clearTimeout(timer);
}

/** By then, jobs have run for the first time, and their connections are open. It takes about 100 ms. */
const AFTER_MS = 3_000;
