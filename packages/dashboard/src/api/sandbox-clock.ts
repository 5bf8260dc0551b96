import { queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from './client.ts';

let offsetSeconds = 0;
const listeners = new Set<() => void>();

/** The clock of the organization, which exists only in the sandbox and only admins may read. */
export const sandboxClock = queryOptions({
  queryKey: ['sandbox-clock'],
  queryFn: async () => {
    const clock = await api().sandbox.getClock();
    noteClockOffset(clock.offset_seconds);
    return clock;
  },
  staleTime: 60_000,
});

/** Remembers how far the organization's clock is ahead. */
export function noteClockOffset(seconds: number): void {
  offsetSeconds = seconds;
  for (const listener of listeners) {
    listener();
  }
}

/** How far the organization's clock is ahead of real time, if known; 0 in production. */
export function useClockOffset(): number {
  return useSyncExternalStore(subscribe, () => offsetSeconds);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
