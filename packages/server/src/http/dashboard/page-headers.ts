/** The inputs of a page's content security policy. */
export interface PagePolicy {
  /** For this response only. Mantine writes the style elements of its theme with it. */
  nonce: string;
  /** The URL of the brand's logo; empty if there is none. */
  logoUrl: string;
  /** The origins whose pages may embed this one in a frame. */
  ancestors: readonly string[];
  /** Whether the page takes cards with Stripe.js. */
  hasCardForm: boolean;
}

/**
 * The sources that Stripe documents for Stripe.js: its script, the frames of the card field and of the banks, and its
 * API.
 */
const STRIPE = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: ' https://api.stripe.com',
};

/**
 * The headers of the dashboard's page. Scripts come only from this server, and from Stripe on the pages that take
 * cards; none is inline. Style elements need the nonce; React sets style attributes through the CSSOM, which no policy
 * restricts.
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
    // A page that isolates itself embeds only pages that allow it. X-Frame-Options does not support a list of origins.
    ...(ancestors.length === 0
      ? { 'cross-origin-resource-policy': 'same-origin', 'x-frame-options': 'DENY' }
      : { 'cross-origin-resource-policy': 'cross-origin' }),
  };
}
