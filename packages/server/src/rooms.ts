import { auditRetentionJob } from './audit/index.ts';
import { type AuthTools, createAuth } from './auth/index.ts';
import {
  createBilling,
  createStripeProvider,
  createTestProvider,
  differsByEnvironment,
  measureBilling,
  type PaymentProvider,
} from './billing/index.ts';
import type { Config } from './config/index.ts';
import { createOutbox, type Reaction } from './events/index.ts';
import { BOOKS, FORGETTING, tablesOfOrganizations } from './forgetting.ts';
import type { Route } from './http/index.ts';
import { type Job, Nudge } from './jobs/index.ts';
import { createLicensing, defineSeatStatements, type LicensingSettings, measureSeats } from './licensing/index.ts';
import { Mailer } from './mail/index.ts';
import { CONNECTED_APPS, createOauth } from './oauth/index.ts';
import { createOrganizations, listAllOrganizations } from './organizations/index.ts';
import { createSandbox } from './sandbox/index.ts';
import { createUsage } from './usage/index.ts';
import {
  createWebhooks,
  describeWebhooks,
  type WebhooksTools,
  webhookAudience,
  writeHeardEvents,
} from './webhooks/index.ts';

export { ensureDefaultCatalogue } from './billing/index.ts';
export { readWebhookSettings, type WebhookSettings } from './webhooks/index.ts';

/** What the rooms of one environment are opened with. */
export interface RoomDependencies
  extends Omit<AuthTools, 'outbox' | 'mailer' | 'config' | 'connectedApps' | 'forgetting' | 'isSandbox'>,
    Pick<WebhooksTools, 'deliveryDatabase' | 'metrics' | 'webhookSettings' | 'version' | 'deliversHere'> {
  config: Config;
  licensing: LicensingSettings;
  isSandbox: boolean;
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
  /** What is put between the service and its payment provider; by default nothing. */
  aroundProvider?: (provider: PaymentProvider) => PaymentProvider;
}

/** Seats are taken with events that reach webhook endpoints. */
const SEAT_STATEMENTS = defineSeatStatements(writeHeardEvents, '_heard');

/** The only list of rooms: what is not here is not served. Reactions to an event run in this order, too. */
export function createRooms(given: RoomDependencies) {
  const reactions: Reaction[] = [];
  const announced = new Nudge();
  const outbox = createOutbox(reactions, webhookAudience(announced));
  const deps = { ...given, outbox, mailer: new Mailer(given.masterKey) };
  const organizations = createOrganizations({ ...deps, ...BOOKS, tables: tablesOfOrganizations(deps.isSandbox) });
  // Both environments share the thread pool of four: logins to the sandbox leave production's, and its signatures, room.
  const hashesAtOnce = deps.isSandbox ? 1 : 2;
  const auth = createAuth({ ...deps, connectedApps: CONNECTED_APPS, forgetting: FORGETTING, hashesAtOnce });
  const oauth = createOauth({ ...deps, login: auth.accountTools });
  const testProvider = deps.isSandbox ? createTestProvider(deps) : undefined;
  const provider = testProvider ?? stripeOf(deps);
  const { aroundProvider = (given) => given } = deps;
  const billing = createBilling({
    ...deps,
    provider: provider === undefined ? undefined : aroundProvider(provider),
    ...differsByEnvironment(deps.config, deps.isSandbox),
  });
  measureBilling(deps.metrics, deps.database, deps.clock);
  const countRefusal = measureSeats(deps.metrics, deps.database, deps.clock);
  const licensing = createLicensing({
    ...deps,
    settings: deps.licensing,
    countRefusal,
    seatStatements: SEAT_STATEMENTS,
  });
  const usage = createUsage(deps);
  const events = [...organizations.events, ...licensing.events, ...billing.events];
  const webhooks = createWebhooks({ ...deps, catalogue: events, announced });
  // What is due at one moment is done in this order.
  const travelers = [billing.traveler, licensing.traveler, webhooks.traveler];
  const sandbox = createSandbox({ ...deps, travelers, cards: testProvider?.cards, settleByRef: billing.settleByRef });
  for (const room of [auth, oauth, billing, licensing, webhooks]) {
    reactions.push(...room.reactions);
  }
  const listOrganizations = (after: string, limit: number) => listAllOrganizations(deps.database, { after, limit });
  const rooms = [auth, oauth, organizations, billing, licensing, usage, sandbox, webhooks];
  const routes: Route[] = rooms.flatMap((room) => room.routes);
  const jobs: Job[] = [
    ...rooms.flatMap((room) => room.jobs),
    ...auditRetentionJob({ ...deps, listOrganizations }, deps.config.retentionAuditDays),
  ];
  const { tokens } = auth;
  const { mount, described: describedOauth, appOrigins } = oauth;
  const close = async () => {
    await webhooks.close();
    await billing.close();
    await auth.close();
  };
  const { attachInvoice } = billing;
  const describedWebhooks = describeWebhooks(events);
  return {
    routes,
    jobs,
    events,
    tokens,
    oauth: mount,
    describedOauth,
    describedWebhooks,
    appOrigins,
    attachInvoice,
    close,
  };
}

/** Who moves the money in production; undefined where no payments are configured. */
function stripeOf({ config, log }: RoomDependencies) {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: apiBase } = config;
  return secretKey === undefined || webhookSecret === undefined
    ? undefined
    : createStripeProvider({ secretKey, webhookSecret, apiBase, log });
}
