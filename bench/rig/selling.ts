import { createBilling, createTestProvider } from '../../packages/server/src/billing/index.ts';
import { systemClock } from '../../packages/server/src/clock/index.ts';
import { loadConfig } from '../../packages/server/src/config/index.ts';
import type { Queries } from '../../packages/server/src/database/index.ts';
import { createOutbox, type Reaction } from '../../packages/server/src/events/index.ts';
import { Metrics } from '../../packages/server/src/http/index.ts';
import { type Job, Nudge } from '../../packages/server/src/jobs/index.ts';
import { createLicensing } from '../../packages/server/src/licensing/index.ts';
import { createLogger } from '../../packages/server/src/log/index.ts';
import { Mailer } from '../../packages/server/src/mail/index.ts';
import { keepMasterKey } from '../../packages/server/src/security/index.ts';
import { webhookAudience } from '../../packages/server/src/webhooks/index.ts';

/** The service's own job that renews subscriptions, with the test provider and with licensing listening, as rooms.ts wires them. */
export async function openRenewals(database: Queries, dataDir: string): Promise<{ job: Job; close(): Promise<void> }> {
  const masterKey = await keepMasterKey(undefined, dataDir);
  const { config } = loadConfig({ SEATHOLD_DATA_DIR: dataDir });
  if (config === undefined) {
    throw new Error('the default settings are not valid');
  }
  const reactions: Reaction[] = [];
  const outbox = createOutbox(reactions, webhookAudience(new Nudge()));
  const billing = createBilling({
    database,
    outbox,
    mailer: new Mailer(masterKey),
    masterKey,
    log: createLogger('warn'),
    clock: systemClock,
    baseUrl: 'https://localhost:8443',
    config,
    invoiceWatermark: '',
    metrics: new Metrics('production'),
    caps: config,
    provider: createTestProvider({ database, masterKey }),
    listUsedMeters: async () => [],
    listUsedFeatures: async () => [],
    heartbeats: config,
  });
  const licensing = createLicensing({ database, outbox, masterKey, settings: SETTINGS });
  reactions.push(...billing.reactions, ...licensing.reactions);
  const job = billing.jobs.find((each) => each.name === 'billing.act-on-due-subscriptions');
  if (job === undefined) {
    throw new Error('there is no job that renews subscriptions');
  }
  return { job, close: () => billing.close() };
}

const SETTINGS = {
  baseUrl: 'https://localhost:8443',
  licenseAudience: 'seathold-client',
  licenseTokenTtlSeconds: 86_400,
  heartbeatIntervalSeconds: 60,
  seatTimeoutSeconds: 180,
};
