import { type AuthDeps, openAuth } from './auth/index.ts';
import type { Queries } from './database/index.ts';
import type { Route } from './http/index.ts';
import type { Job } from './jobs/index.ts';
import { type LicensingSettings, openLicensing } from './licensing/index.ts';
import type { MasterKey } from './security/index.ts';
import { openWebhooks } from './webhooks/index.ts';

/** What the rooms of one environment are opened with. */
export interface RoomDependencies extends AuthDeps {
  database: Queries;
  masterKey: MasterKey;
  licensing: LicensingSettings;
}

/** The only list of rooms: what is not here is not served. */
export function openRooms(deps: RoomDependencies) {
  const auth = openAuth(deps);
  const licensing = openLicensing({ database: deps.database, masterKey: deps.masterKey, settings: deps.licensing });
  const events = [...licensing.events];
  const webhooks = openWebhooks({ catalogue: events });
  const routes: Route[] = [...auth.routes, ...licensing.routes, ...webhooks.routes];
  const jobs: Job[] = [...auth.jobs, ...licensing.jobs];
  return { routes, jobs, events, tokens: auth.tokens, close: () => auth.close() };
}
