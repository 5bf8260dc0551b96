/** The reason for refusing a redirect URI. */
export interface RedirectUriFault {
  reason:
    | 'format'
    | 'not_absolute'
    | 'fragment'
    | 'credentials'
    | 'wildcard'
    | 'scheme'
    | 'not_https'
    | 'not_normalized'
    | 'duplicate';
  message: string;
}

/**
 * The first fault in a list of redirect URIs with its index, or undefined. They are later compared character by
 * character (RFC 9700 section 2.1), so each must be in the canonical form that browsers do not change.
 */
export function findRedirectUriFault(
  uris: readonly string[],
  isConfidential: boolean,
): (RedirectUriFault & { place: number }) | undefined {
  for (const [place, uri] of uris.entries()) {
    const fault: RedirectUriFault | undefined =
      uris.indexOf(uri) < place
        ? { reason: 'duplicate', message: 'redirect_uris must not contain duplicates.' }
        : judgeRedirectUri(uri, isConfidential);
    if (fault !== undefined) {
      return { ...fault, place };
    }
  }
  return undefined;
}

/** The fault of one redirect URI; undefined if there is none. */
export function judgeRedirectUri(uri: string, isConfidential: boolean): RedirectUriFault | undefined {
  if (!URI_CHARACTERS.test(uri)) {
    return {
      reason: 'format',
      message:
        'A redirect URI can contain only the characters that RFC 3986 allows. Write international host names in Punycode, and percent-encode everything else.',
    };
  }
  const url = URL.parse(uri);
  if (url === null || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) {
    return {
      reason: 'not_absolute',
      message: 'A redirect URI must be absolute, for example https://example.com/callback.',
    };
  }
  if (uri.includes('#')) {
    return { reason: 'fragment', message: 'A redirect URI must not have a fragment.' };
  }
  if (hasCredentials(uri, url)) {
    return { reason: 'credentials', message: 'A redirect URI must not contain a user name or password.' };
  }
  if (uri.includes('*')) {
    return {
      reason: 'wildcard',
      message: 'A redirect URI must not contain wildcards. It is compared character by character.',
    };
  }
  return judgeScheme(url, isConfidential) ?? judgeForm(uri, url);
}

/** The unreserved and reserved characters of RFC 3986 section 2, and percent signs that encode something. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** An empty user name disappears in the parsed URL, so the text is also checked. */
function hasCredentials(uri: string, url: URL): boolean {
  const authority = /^[^:]*:\/*([^/?]*)/.exec(uri)?.[1] ?? '';
  return url.username !== '' || url.password !== '' || authority.includes('@');
}

function judgeScheme(url: URL, isConfidential: boolean): RedirectUriFault | undefined {
  if (url.protocol === 'https:') {
    return undefined;
  }
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname)
      ? undefined
      : { reason: 'not_https', message: 'http is allowed only for 127.0.0.1, [::1], and localhost. Use https.' };
  }
  if (!PRIVATE_USE_SCHEME.test(url.protocol)) {
    return {
      reason: 'scheme',
      message:
        'A redirect URI must start with https:, or with a custom scheme that is a reversed domain name, such as com.example.app: (RFC 8252, section 7.1).',
    };
  }
  return isConfidential
    ? {
        reason: 'scheme',
        message: 'Only public apps can use a custom scheme, because other apps can register the same scheme.',
      }
    : undefined;
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** With a dot, which no browser scheme has: this excludes javascript:, data:, file: and future ones. */
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+:$/;

/**
 * Refuses URIs that a browser would rewrite: uppercase hosts, dot segments, unusual IPv4 addresses, default ports,
 * missing slashes. If two programs parse such a text differently, a code may be sent to a stranger. Only the slash
 * after a bare host may be missing.
 */
function judgeForm(uri: string, url: URL): RedirectUriFault | undefined {
  const isBareHost = uri === url.origin && url.href === `${uri}/`;
  const isHierarchical = uri.startsWith(`${url.protocol}/`);
  if ((url.href === uri || isBareHost) && isHierarchical) {
    return undefined;
  }
  return {
    reason: 'not_normalized',
    message: 'A redirect URI must be normalized: lowercase scheme and host, no dot segments, and no default port.',
  };
}
