import type { Fetch } from '@seathold/client';

/** Sends the portal's requests, and reports when its session has ended. */
export interface PortalFetch {
  send: Fetch;
  /** Calls back when the service no longer accepts the session. Returns a function that ends that. */
  onEnd: (listener: () => void) => () => void;
}

/** Sends no cookie: the portal does not use a login, even in a browser where someone is logged in. */
export function createPortalFetch(): PortalFetch {
  const listeners = new Set<() => void>();
  return {
    send: async (url, request) => {
      const answer = await fetch(url, { ...request, credentials: 'omit', cache: 'no-store' });
      if (answer.status === 401) {
        for (const listener of listeners) {
          listener();
        }
      }
      return answer;
    },
    onEnd: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
