import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent from a page that is not ours. Browsers say so themselves; where one is too old for
 * Sec-Fetch-Site, its Origin is looked at, which pages without a referrer send as `null`. The cookie of the interaction
 * guards besides: it does not come with forms of other sites at all (SameSite).
 */
export function isFromAnotherSite(headers: IncomingHttpHeaders, authUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    return site !== 'same-origin';
  }
  const { origin } = headers;
  return origin !== undefined && origin !== 'null' && origin !== new URL(authUrl).origin;
}
