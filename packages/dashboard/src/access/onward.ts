/** Where to go after the login; only a URL of this dashboard. */
export interface Onward {
  next?: string;
}

/**
 * Another site's URL could send people from our login to a lookalike page. Browsers read "\\" as "/" and ignore tabs
 * and line breaks, so the URL is parsed the same way.
 */
export function readOnward({ next }: Record<string, unknown>): Onward {
  if (typeof next !== 'string' || !next.startsWith('/')) {
    return {};
  }
  const url = URL.parse(next, HERE);
  const isHere = url?.origin === HERE && !url.pathname.startsWith('//');
  return isHere ? { next: url.pathname + url.search + url.hash } : {};
}

const HERE = 'https://here.invalid';
