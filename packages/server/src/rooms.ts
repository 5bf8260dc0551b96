import { type AuthDeps, openAuth } from './auth/index.ts';
import { openOutbox, type Reaction } from './events/index.ts';
import type { Route } from './http/index.ts';
import type { Job } from './jobs/index.ts';
import { type LicensingSettings, openLicensing } from './licensing/index.ts';
import { Mailer } from './mail/index.ts';
import { openOrganizations } from './organizations/index.ts';
import { openWebhooks } from './webhooks/index.ts';

/** What the rooms of one environment are opened with. */
export interface RoomDependencies extends Omit<AuthDeps, 'outbox' | 'mailer'> {
  licensing: LicensingSettings;
}

/** The only list of rooms: what is not here is not served. Reactions to an event run in this order, too. */
export function openRooms(given: RoomDependencies) {
  const reactions: Reaction[] = [];
  const deps = { ...given, outbox: openOutbox(reactions), mailer: new Mailer(given.masterKey) };
  const organizations = openOrganizations(deps);
  const auth = openAuth(deps);
  const licensing = openLicensing({ ...deps, settings: deps.licensing });
  const events = [...organizations.events, ...licensing.events];
  const webhooks = openWebhooks({ catalogue: events });
  reactions.push(...auth.reactions);
  const routes: Route[] = [...auth.routes, ...organizations.routes, ...licensing.routes, ...webhooks.routes];
  const jobs: Job[] = [...auth.jobs, ...licensing.jobs];
  const { tokens, oauth, describedOauth } = auth;
  return { routes, jobs, events, tokens, oauth, describedOauth, close: () => auth.close() };
}
