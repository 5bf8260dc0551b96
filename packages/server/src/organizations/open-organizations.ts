import type { EventDefinition, Outbox } from '../events/index.ts';
import type { Route } from '../http/index.ts';
import type { Mailer } from '../mail/index.ts';
import { ORGANIZATION_EVENTS } from './events.ts';

/** What this room is opened with. */
export interface OrganizationsDeps {
  outbox: Outbox;
  mailer: Mailer;
  /** Public address of the environment, for mails. */
  baseUrl: string;
}

/** The room, opened. */
export interface Organizations {
  routes: Route[];
  events: readonly EventDefinition[];
}

/** Opens the room for one environment. */
export function openOrganizations(_deps: OrganizationsDeps): Organizations {
  return { routes: [], events: ORGANIZATION_EVENTS };
}
