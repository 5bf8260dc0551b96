import type { Fetch } from '@seathold/client';

/**
 * Sends requests with the session's cookie, which no script can read. Logins request the cookie instead of tokens, so
 * there are none to store.
 */
export const sendWithCookie: Fetch = (url, request) =>
  fetch(url, {
    ...request,
    headers: { ...request.headers, 'x-session-transport': 'cookie' },
    credentials: 'same-origin',
    cache: 'no-store',
  });
