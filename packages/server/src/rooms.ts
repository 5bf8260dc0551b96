import { type AuthDeps, openAuth } from './auth/index.ts';
import { openBilling } from './billing/index.ts';
import type { Config } from './config/index.ts';
import { openOutbox, type Reaction } from './events/index.ts';
import type { Route } from './http/index.ts';
import { type Job, Nudge } from './jobs/index.ts';
import { type LicensingSettings, openLicensing } from './licensing/index.ts';
import { Mailer } from './mail/index.ts';
import { openOrganizations } from './organizations/index.ts';
import { openWebhooks, type WebhooksDeps, webhookAudience } from './webhooks/index.ts';

export { readWebhookSettings, type WebhookSettings } from './webhooks/index.ts';

/** What the rooms of one environment are opened with. */
export interface RoomDependencies
  extends Omit<AuthDeps, 'outbox' | 'mailer' | 'config'>,
    Pick<WebhooksDeps, 'deliveryDatabase' | 'metrics' | 'webhookSettings' | 'version'> {
  config: Config;
  licensing: LicensingSettings;
}

/** The only list of rooms: what is not here is not served. Reactions to an event run in this order, too. */
export function openRooms(given: RoomDependencies) {
  const reactions: Reaction[] = [];
  const announced = new Nudge();
  const outbox = openOutbox(reactions, webhookAudience(announced));
  const deps = { ...given, outbox, mailer: new Mailer(given.masterKey) };
  const organizations = openOrganizations(deps);
  const auth = openAuth(deps);
  const billing = openBilling({ ...deps, provider: undefined });
  const licensing = openLicensing({ ...deps, settings: deps.licensing });
  const events = [...organizations.events, ...licensing.events, ...billing.events];
  const webhooks = openWebhooks({ ...deps, catalogue: events, announced });
  reactions.push(...auth.reactions, ...billing.reactions, ...webhooks.reactions);
  const routes: Route[] = [
    ...auth.routes,
    ...organizations.routes,
    ...billing.routes,
    ...licensing.routes,
    ...webhooks.routes,
  ];
  const jobs: Job[] = [...auth.jobs, ...billing.jobs, ...licensing.jobs, ...webhooks.jobs];
  const { tokens, oauth, describedOauth } = auth;
  const close = async () => {
    await webhooks.close();
    await auth.close();
  };
  return { routes, jobs, events, tokens, oauth, describedOauth, close };
}
