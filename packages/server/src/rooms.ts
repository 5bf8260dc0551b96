import { auditRetentionJob } from './audit/index.ts';
import { type AuthDeps, openAuth } from './auth/index.ts';
import {
  differsByEnvironment,
  measureBilling,
  openBilling,
  openStripeProvider,
  openTestProvider,
  type PaymentProvider,
} from './billing/index.ts';
import type { Config } from './config/index.ts';
import { openOutbox, type Reaction } from './events/index.ts';
import { BOOKS, FORGETTING, tablesOfOrganizations } from './forgetting.ts';
import type { Route } from './http/index.ts';
import { type Job, Nudge } from './jobs/index.ts';
import { type LicensingSettings, measureSeats, openLicensing } from './licensing/index.ts';
import { Mailer } from './mail/index.ts';
import { openOrganizations } from './organizations/index.ts';
import { openSandbox } from './sandbox/index.ts';
import { openUsage } from './usage/index.ts';
import { describeWebhooks, openWebhooks, type WebhooksDeps, webhookAudience } from './webhooks/index.ts';

export { ensureDefaultCatalogue } from './billing/index.ts';
export { readWebhookSettings, type WebhookSettings } from './webhooks/index.ts';

/** What the rooms of one environment are opened with. */
export interface RoomDependencies
  extends Omit<AuthDeps, 'outbox' | 'mailer' | 'config' | 'forgetting' | 'isSandbox'>,
    Pick<WebhooksDeps, 'deliveryDatabase' | 'metrics' | 'webhookSettings' | 'version' | 'deliversHere'> {
  config: Config;
  licensing: LicensingSettings;
  isSandbox: boolean;
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
  /** What is put between the service and its payment provider; by default nothing. */
  aroundProvider?: (provider: PaymentProvider) => PaymentProvider;
}

/** The only list of rooms: what is not here is not served. Reactions to an event run in this order, too. */
export function openRooms(given: RoomDependencies) {
  const reactions: Reaction[] = [];
  const announced = new Nudge();
  const outbox = openOutbox(reactions, webhookAudience(announced));
  const deps = { ...given, outbox, mailer: new Mailer(given.masterKey) };
  const organizations = openOrganizations({ ...deps, ...BOOKS, tables: tablesOfOrganizations(deps.isSandbox) });
  // Both environments share the thread pool of four: logins to the sandbox leave production's, and its signatures, room.
  const auth = openAuth({ ...deps, forgetting: FORGETTING, hashesAtOnce: deps.isSandbox ? 1 : 2 });
  const testProvider = deps.isSandbox ? openTestProvider(deps) : undefined;
  const provider = testProvider ?? stripeOf(deps);
  const { aroundProvider = (given) => given } = deps;
  const billing = openBilling({
    ...deps,
    provider: provider === undefined ? undefined : aroundProvider(provider),
    ...differsByEnvironment(deps.config, deps.isSandbox),
  });
  measureBilling(deps.metrics, deps.database, deps.clock);
  const countRefusal = measureSeats(deps.metrics, deps.database, deps.clock);
  const licensing = openLicensing({ ...deps, settings: deps.licensing, countRefusal });
  const usage = openUsage(deps);
  const events = [...organizations.events, ...licensing.events, ...billing.events];
  const webhooks = openWebhooks({ ...deps, catalogue: events, announced });
  // What is due at one moment is done in this order.
  const travelers = [billing.traveler, licensing.traveler, webhooks.traveler];
  const sandbox = openSandbox({ ...deps, travelers, cards: testProvider?.cards, settleByRef: billing.settleByRef });
  reactions.push(...auth.reactions, ...billing.reactions, ...licensing.reactions, ...webhooks.reactions);
  const routes: Route[] = [
    ...auth.routes,
    ...organizations.routes,
    ...billing.routes,
    ...licensing.routes,
    ...usage.routes,
    ...sandbox.routes,
    ...webhooks.routes,
  ];
  const jobs: Job[] = [
    ...auth.jobs,
    ...organizations.jobs,
    ...billing.jobs,
    ...licensing.jobs,
    ...usage.jobs,
    ...sandbox.jobs,
    ...webhooks.jobs,
    ...auditRetentionJob(deps.database, deps.clock, deps.config.retentionAuditDays),
  ];
  const { tokens, oauth, describedOauth, appOrigins } = auth;
  const close = async () => {
    await webhooks.close();
    await billing.close();
    await auth.close();
  };
  const { attachInvoice } = billing;
  const describedWebhooks = describeWebhooks(events);
  return { routes, jobs, events, tokens, oauth, describedOauth, describedWebhooks, appOrigins, attachInvoice, close };
}

/** Who moves the money in production; undefined where no payments are configured. */
function stripeOf({ config, log }: RoomDependencies) {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: apiBase } = config;
  return secretKey === undefined || webhookSecret === undefined
    ? undefined
    : openStripeProvider({ secretKey, webhookSecret, apiBase, log });
}
