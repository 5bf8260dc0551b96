import { useSyncExternalStore } from 'react';

let isLive = false;
const listeners = new Set<() => void>();

/** Shows whether live updates are active. */
export function setLive(to: boolean): void {
  if (isLive !== to) {
    isLive = to;
    for (const listener of listeners) {
      listener();
    }
  }
}

/**
 * The polling interval of a query: never (or every `whileLive` milliseconds, for changes without events) while events
 * arrive, and every `milliseconds` if they do not, because the stream was refused or broke off, or the person's role
 * may not read it.
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
