/** Why a URL may not be an endpoint's. Only the first is a matter of form; the others are decisions. */
export type UrlRefusal = 'not_a_url' | 'https_required' | 'credentials' | 'fragment' | 'too_long' | 'forbidden_address';

const LONGEST_URL = 2_000;

/** Reads an endpoint's URL, or says why it may not be one. What its host stands for is judged elsewhere. */
export function parseUrl(text: string): { url: URL } | { refusal: UrlRefusal } {
  // The parser drops line breaks and trims; a customer who reads the URL back should read what was called.
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (url === null) {
    return { refusal: 'not_a_url' };
  }
  if (url.protocol !== 'https:') {
    return { refusal: 'https_required' };
  }
  if (url.username !== '' || url.password !== '') {
    return { refusal: 'credentials' };
  }
  // An empty fragment is one too, and the parser's `hash` does not tell it from none.
  if (url.href.includes('#')) {
    return { refusal: 'fragment' };
  }
  // No name has an empty label, but some resolvers read past one, and then one receiver would have many names.
  if (bareHost(url).split('.').includes('')) {
    return { refusal: 'not_a_url' };
  }
  return text.length > LONGEST_URL || url.href.length > LONGEST_URL ? { refusal: 'too_long' } : { url };
}

/** What connections are counted by: `host.` is the same machine as `host`, and would have as many once more. */
export function countedOrigin(origin: string): string {
  return origin.replace(/\.(?=:\d+$|$)/, '');
}

/** The host as it is resolved and certified: without the brackets of IPv6 and the dot that ends a full name. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
