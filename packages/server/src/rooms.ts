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
import {
  createLicensing,
  defineSeatStatements,
  type LicensingSettings,
  listNamesOfUsedFeatures,
  measureSeats,
  withActivationTokens,
} from './licensing/index.ts';
import { Mailer } from './mail/index.ts';
import { CONNECTED_APPS, createOauth } from './oauth/index.ts';
import { createOperator } from './operator/index.ts';
import { ORGANIZATION_FACTS } from './organization-facts.ts';
import { createOrganizations, listAllOrganizations } from './organizations/index.ts';
import { createSandbox } from './sandbox/index.ts';
import { createUsage, listNamesOfUsedMeters } from './usage/index.ts';
import {
  createWebhooks,
  describeWebhooks,
  type WebhooksTools,
  webhookAudience,
  writeHeardEvents,
} from './webhooks/index.ts';

export { ensureDefaultCatalogue } from './billing/index.ts';
export { parseWebhookSettings, type WebhookSettings } from './webhooks/index.ts';

/** The dependencies of the rooms of one environment. */
export interface RoomTools
  extends Omit<AuthTools, 'outbox' | 'mailer' | 'config' | 'connectedApps' | 'forgetting' | 'isSandbox'>,
    Pick<
      WebhooksTools,
      'deliveryDatabase' | 'metrics' | 'webhookSettings' | 'version' | 'deliversHere' | 'sendsOnThread'
    > {
  config: Config;
  licensing: LicensingSettings;
  isSandbox: boolean;
  /** The jobs of this process that are late. */
  listLateJobs(): readonly string[];
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
  /** Wraps the payment provider; by default nothing does. */
  aroundProvider?: (provider: PaymentProvider) => PaymentProvider;
}

/** The seat statements whose events reach webhook endpoints. */
const SEAT_STATEMENTS = defineSeatStatements(writeHeardEvents, '_heard');

/** Usage known to other rooms that keeps the catalogue from changing. */
const USED_OF_CATALOGUE = { listUsedMeters: listNamesOfUsedMeters, listUsedFeatures: listNamesOfUsedFeatures };

/** The only list of rooms. Reactions to an event also run in this order. */
export function createRooms(given: RoomTools) {
  const reactions: Reaction[] = [];
  const announced = new Nudge();
  const outbox = createOutbox(reactions, webhookAudience(announced));
  const tools = { ...given, outbox, mailer: new Mailer(given.masterKey) };
  const fromAbove = { ...BOOKS, facts: ORGANIZATION_FACTS, tables: tablesOfOrganizations(tools.isSandbox) };
  const organizations = createOrganizations({ ...tools, ...fromAbove });
  // Both environments share the thread pool of four: logins to the sandbox must leave capacity for production's logins
  // and signatures.
  const hashesAtOnce = tools.isSandbox ? 1 : 2;
  const auth = createAuth({ ...tools, connectedApps: CONNECTED_APPS, forgetting: FORGETTING, hashesAtOnce });
  const oauth = createOauth({ ...tools, login: auth.accountTools });
  const testProvider = tools.isSandbox ? createTestProvider(tools) : undefined;
  const provider = testProvider ?? stripeOf(tools);
  const { aroundProvider = (given) => given } = tools;
  const billing = createBilling({
    ...tools,
    provider: provider === undefined ? undefined : aroundProvider(provider),
    ...differsByEnvironment(tools.config, tools.isSandbox),
    ...USED_OF_CATALOGUE,
    heartbeats: tools.licensing,
  });
  measureBilling(tools.database, tools.metrics, tools.clock);
  const countRefusal = measureSeats(tools.database, tools.metrics, tools.clock);
  const licensing = createLicensing({
    ...tools,
    settings: tools.licensing,
    countRefusal,
    seatStatements: SEAT_STATEMENTS,
  });
  const usage = createUsage(tools);
  const events = [...organizations.events, ...licensing.events, ...billing.events];
  const webhooks = createWebhooks({ ...tools, catalogue: events, announced });
  // Work due at the same moment is done in this order.
  const travelers = [billing.traveler, licensing.traveler, webhooks.traveler];
  const sandbox = createSandbox({ ...tools, travelers, cards: testProvider?.cards, settleByRef: billing.settleByRef });
  for (const room of [auth, oauth, billing, licensing, webhooks]) {
    reactions.push(...room.reactions);
  }
  const listOrganizations = (after: string, limit: number) => listAllOrganizations(tools.database, { after, limit });
  const rooms = [auth, oauth, organizations, billing, licensing, usage, sandbox, webhooks, createOperator(tools)];
  const routes: Route[] = rooms.flatMap((room) => room.routes);
  const jobs: Job[] = [
    ...rooms.flatMap((room) => room.jobs),
    ...auditRetentionJob({ ...tools, listOrganizations }, tools.config.retentionAuditDays),
  ];
  const tokens = withActivationTokens(tools.database, auth.tokens);
  const { mount, described: describedOauth, appOrigins } = oauth;
  const close = async () => {
    await licensing.close();
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
    cookies: auth.cookies,
    oauth: mount,
    describedOauth,
    describedWebhooks,
    appOrigins,
    attachInvoice,
    close,
  };
}

/** The payment provider in production; undefined if no payments are configured. */
function stripeOf({ config, log }: RoomTools) {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: apiBase } = config;
  return secretKey === undefined || webhookSecret === undefined
    ? undefined
    : createStripeProvider({ secretKey, webhookSecret, apiBase, log });
}
