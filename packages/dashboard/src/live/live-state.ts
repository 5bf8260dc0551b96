import { useSyncExternalStore } from 'react';

let isLive = false;
const listeners = new Set<() => void>();

/** Says whether events arrive as they happen. */
export function setLive(to: boolean): void {
  if (isLive !== to) {
    isLive = to;
    for (const listener of listeners) {
      listener();
    }
  }
}

/**
 * How often a query asks again: never (or every `whileLive` milliseconds, for what no event tells) while events say what
 * changed, and every `milliseconds` where they cannot, because the stream was refused or broke off, or because the person's
 * role may not read it.
 */
export function usePolling(milliseconds: number, whileLive: number | false = false): number | false {
  return useIsLive() ? whileLive : milliseconds;
}

function useIsLive(): boolean {
  return useSyncExternalStore(subscribe, () => isLive);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
