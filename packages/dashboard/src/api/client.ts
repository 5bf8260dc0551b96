import { Seathold } from '@seathold/client';
import { sendWithCookie } from './session-transport.ts';

const KEPT_AT = 'seathold.organization';

let client = connect(localStorage.getItem(KEPT_AT) ?? undefined);

/** The API, as the person who is logged in, in the organization that they chose. */
export function api(): Seathold {
  return client;
}

/** Acts in another organization from now on; in the one of the login with undefined. The caller empties the cache. */
export function chooseOrganization(id: string | undefined): void {
  if (id === undefined) {
    localStorage.removeItem(KEPT_AT);
  } else {
    localStorage.setItem(KEPT_AT, id);
  }
  client = connect(id);
}

/** The API without an organization, for what belongs to the person. */
export function personalApi(): Seathold {
  return connect(undefined);
}

function connect(organizationId: string | undefined): Seathold {
  return new Seathold({ baseUrl: window.location.origin, fetch: sendWithCookie, organizationId });
}
