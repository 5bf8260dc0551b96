/**
 * The query of an authorization request as the library is to see it. Parameters of OpenID Connect are left out, since
 * unknown ones are ignored (RFC 6749 section 3.1) while the library refuses them without the scope `openid`. A response
 * mode other than `query` becomes one that the library does not know, so that it is refused by a redirect: the library
 * has pages with scripts for the others.
 */
export function prepareAuthorization(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1 || url.slice(0, mark) !== '/authorize') {
    return url;
  }
  const query = new URLSearchParams(url.slice(mark + 1));
  for (const name of OPENID_PARAMETERS) {
    query.delete(name);
  }
  const mode = query.get('response_mode');
  if (mode !== null && mode !== 'query') {
    query.set('response_mode', 'unsupported');
  }
  return `${url.slice(0, mark)}?${query}`;
}

const OPENID_PARAMETERS = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];
