import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent from another site's page. Browsers report this; if one is too old for Sec-Fetch-Site, its
 * Origin is checked, which pages without a referrer send as `null`. The cookie of the interaction is a second
 * protection: it is not sent with forms of other sites (SameSite).
 */
export function isFromAnotherSite(headers: IncomingHttpHeaders, authUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    return site !== 'same-origin';
  }
  const { origin } = headers;
  return origin !== undefined && origin !== 'null' && origin !== new URL(authUrl).origin;
}
