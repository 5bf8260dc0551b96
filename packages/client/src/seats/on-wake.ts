import { letEnd } from './let-end.ts';

/** How often the clocks are compared, and the difference that counts as a sleep or a jump. */
const LOOK_EVERY_MS = 5_000;
const JUMP_MS = 10_000;

/**
 * Calls when the machine has slept, its time of day has jumped, or a browser is online again. A sleep is visible in the
 * clocks: the monotonic one stopped, or the timer is late.
 */
export function onWake(wake: () => void): () => void {
  let differenceMs = Date.now() - performance.now();
  let lookedMs = Date.now();
  const timer = setInterval(() => {
    const nowMs = Date.now();
    const sinceMs = nowMs - lookedMs;
    const jumpMs = nowMs - performance.now() - differenceMs;
    differenceMs += jumpMs;
    lookedMs = nowMs;
    if (Math.abs(jumpMs) >= JUMP_MS || sinceMs >= LOOK_EVERY_MS + JUMP_MS) {
      wake();
    }
  }, LOOK_EVERY_MS);
  letEnd(timer);
  const target = findEventTarget();
  target?.addEventListener('online', wake);
  return () => {
    clearInterval(timer);
    target?.removeEventListener('online', wake);
  };
}

/** A window or worker of a browser. */
export function findEventTarget(): EventTarget | undefined {
  const { addEventListener, removeEventListener }: Partial<EventTarget> = Object(globalThis);
  return typeof addEventListener === 'function' && typeof removeEventListener === 'function'
    ? (globalThis as unknown as EventTarget)
    : undefined;
}
