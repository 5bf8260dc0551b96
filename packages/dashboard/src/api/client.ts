import { type Fetch, Seathold } from '@seathold/client';
import { recall, remember } from '../app/browser-memory.ts';
import { actingFor } from './acting.ts';
import { recordCalls } from './recorded-calls.ts';
import { sendWithCookie } from './session-transport.ts';

const KEPT_AT = 'seathold.organization';

let chosen = actingFor ?? recall(KEPT_AT);
let client = recordCalls(connect(chosen));
let hasToken = false;

/** The API, as the logged-in person, in the organization that they chose or act for. */
export function api(): Seathold {
  return client;
}

/** Acts in another organization from now on; in the one of the login with undefined. The caller empties the cache. */
export function chooseOrganization(id: string | undefined): void {
  remember(KEPT_AT, id);
  chosen = id;
  client = recordCalls(connect(id));
}

/** The organization named in every call; undefined for the login's own. */
export function chosenOrganization(): string | undefined {
  return chosen;
}

/** Uses a token from now on, and never the session of a person who may be logged in. It is kept only in memory. */
export function actWithToken(token: string, fetch: Fetch): void {
  client = new Seathold({ baseUrl: window.location.origin, token, fetch });
  hasToken = true;
}

/** Whether this page is the portal, which acts with a token. */
export function actsWithToken(): boolean {
  return hasToken;
}

/** The API without an organization, for the person's own data. */
export function personalApi(): Seathold {
  return recordCalls(connect(undefined));
}

function connect(organizationId: string | undefined): Seathold {
  return new Seathold({ baseUrl: window.location.origin, fetch: sendWithCookie, organizationId });
}
