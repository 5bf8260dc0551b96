import type { Fetch } from '@seathold/client';

/**
 * Sends requests with the session's cookie, which no script can read. Logins ask for the cookie in place of tokens, so
 * there is none to keep.
 */
export const sendWithCookie: Fetch = (url, request) =>
  fetch(url, {
    ...request,
    headers: { ...request.headers, 'x-session-transport': 'cookie' },
    credentials: 'same-origin',
    cache: 'no-store',
  });
