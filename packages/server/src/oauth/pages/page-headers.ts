/**
 * The headers of a page: no script, nothing from elsewhere but the brand's logo, no frame around it. Chromium holds the redirect after a form
 * against form-action too, so a form that may end at an app names the app's address.
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

/** The origin of a web address, the scheme of any other. A source has no form for an IPv6 address, so its scheme is used instead. */
function formTarget(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri);
  if (url === null || !/^[a-z][a-z0-9+.-]*:$/.test(url.protocol)) {
    return undefined;
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && /^[a-z0-9.-]+$/.test(url.hostname) ? url.origin : url.protocol;
}
