/** What the policy of a page depends on. */
export interface PagePolicy {
  /** Of this answer alone. Mantine writes the style elements of its theme with it. */
  nonce: string;
  /** Where the brand's logo is; empty when there is none. */
  logoUrl: string;
}

/**
 * The headers of the dashboard's page. Scripts come from this server alone and none is inline. Style elements need the
 * nonce; React sets style attributes through the CSSOM, which no policy forbids, so they need nothing.
 */
export function dashboardHeaders({ nonce, logoUrl }: PagePolicy): Record<string, string> {
  const logo = logoUrl === '' ? '' : ` ${new URL(logoUrl).origin}`;
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' data:${logo}`,
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}
