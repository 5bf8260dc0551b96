import type { Fetch } from '@seathold/client';

/** Sends the portal's requests, and tells when its session has ended. */
export interface PortalFetch {
  send: Fetch;
  /** Calls back when the service no longer knows the session. Returns what ends that. */
  onEnd: (listener: () => void) => () => void;
}

/** Sends no cookie: the portal is nobody's login, even in a browser where someone is logged in. */
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
