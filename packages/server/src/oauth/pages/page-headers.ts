/**
 * The headers of a page: no script, nothing external except the brand's logo, no framing. Chromium also applies
 * form-action to the redirect after a form, so a form that may end at an app names the app's address.
 */
export function pageHeaders({
  redirectUri,
  logoUrl = '',
}: {
  redirectUri?: string | undefined;
  logoUrl?: string;
} = {}): Record<string, string> {
  const target = redirectUri === undefined ? undefined : formTarget(redirectUri);
  return {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      ...(logoUrl === '' ? [] : [`img-src ${new URL(logoUrl).origin}`]),
      target === undefined ? "form-action 'self'" : `form-action 'self' ${target}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  };
}

/**
 * The origin of a web address, the scheme of any other. CSP sources do not support IPv6 addresses, so their scheme is
 * used instead.
 */
function formTarget(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri);
  if (url === null || !/^[a-z][a-z0-9+.-]*:$/.test(url.protocol)) {
    return undefined;
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && /^[a-z0-9.-]+$/.test(url.hostname) ? url.origin : url.protocol;
}
