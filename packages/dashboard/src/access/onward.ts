/** Where to go after the login; only an address of this dashboard. */
export interface Onward {
  next?: string;
}

/**
 * Another site's address would send people from our login to a page that only looks like ours. Browsers read "\\" as "/" and
 * leave out tabs and line breaks, so the address is read as they read it.
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
