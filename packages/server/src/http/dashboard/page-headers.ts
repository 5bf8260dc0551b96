/** What the policy of a page depends on. */
export interface PagePolicy {
  /** Of this answer alone. Mantine writes the style elements of its theme with it. */
  nonce: string;
  /** Where the brand's logo is; empty when there is none. */
  logoUrl: string;
  /** The origins whose pages may show this one in a frame. */
  ancestors: readonly string[];
  /** Whether the page takes cards with Stripe.js. */
  hasCardForm: boolean;
}

/** What Stripe documents for Stripe.js: its script, the frames of the card field and of the banks, and its API. */
const STRIPE = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: ' https://api.stripe.com',
};

/**
 * The headers of the dashboard's page. Scripts come from this server alone, on the pages that take
 * cards from Stripe too, and none is inline. Style elements need the
 * nonce; React sets style attributes through the CSSOM, which no policy forbids, so they need nothing.
 */
export function dashboardHeaders(policy: PagePolicy): Record<string, string> {
  const { nonce, logoUrl, ancestors, hasCardForm } = policy;
  const logo = logoUrl === '' ? '' : ` ${new URL(logoUrl).origin}`;
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${hasCardForm ? STRIPE.script : ''}`,
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' data:${logo}`,
      "font-src 'self'",
      `connect-src 'self'${hasCardForm ? STRIPE.connect : ''}`,
      ...(hasCardForm ? [`frame-src ${STRIPE.frame}`] : []),
      "manifest-src 'self'",
      `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
      "base-uri 'none'",
      "form-action 'self'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    // A page that isolates itself embeds only what says that it may be. X-Frame-Options knows no list of origins.
    ...(ancestors.length === 0
      ? { 'cross-origin-resource-policy': 'same-origin', 'x-frame-options': 'DENY' }
      : { 'cross-origin-resource-policy': 'cross-origin' }),
  };
}
