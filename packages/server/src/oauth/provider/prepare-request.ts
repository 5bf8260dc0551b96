/** The URL of a request, prepared for the library. */
export function prepareRequest(url: string): string {
  const mark = url.indexOf('?');
  switch (mark === -1 ? undefined : url.slice(0, mark)) {
    case '/authorize':
      return prepareAuthorization(url, mark);
    case '/device':
      return prepareDevicePage(url, mark);
    default:
      return url;
  }
}

/** The query parameter with the code from the URL, for our page. */
export const PREFILLED_CODE = 'prefilled_code';

/** For a URL with a code, the library has a page with a script; our page shows the code in its form instead. */
function prepareDevicePage(url: string, mark: number): string {
  const userCode = new URLSearchParams(url.slice(mark + 1)).get('user_code');
  return userCode === null
    ? url.slice(0, mark)
    : `${url.slice(0, mark)}?${new URLSearchParams({ [PREFILLED_CODE]: userCode })}`;
}

/**
 * The query of an authorization request, prepared for the library. Parameters of OpenID Connect are removed, because
 * unknown ones must be ignored (RFC 6749 section 3.1) but the library refuses them without the scope `openid`. A
 * response mode other than `query` becomes one that the library does not know, so that it is refused by a redirect: for
 * the others, the library has pages with scripts.
 */
function prepareAuthorization(url: string, mark: number): string {
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
