/** Where to go after the login; only an address of this dashboard. */
export interface Onward {
  next?: string;
}

/** Another site's address would send people from our login to a page that only looks like ours. */
export function readOnward({ next }: Record<string, unknown>): Onward {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}
