import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../audit/index.ts';
import { createBilling, createStripeProvider, createTestProvider, differsByEnvironment } from '../billing/index.ts';
import { isoTime, systemClock } from '../clock/index.ts';
import { addressesOf } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import { createOutbox } from '../events/index.ts';
import { Metrics } from '../http/index.ts';
import { Nudge } from '../jobs/index.ts';
import { createLicensing, listNamesOfUsedFeatures } from '../licensing/index.ts';
import { createLogger } from '../log/index.ts';
import { Mailer } from '../mail/index.ts';
import { findOrganizationId } from '../organizations/index.ts';
import { listNamesOfUsedMeters } from '../usage/index.ts';
import { webhookAudience } from '../webhooks/index.ts';
import type { Installation } from './connect-installation.ts';

type EnvironmentName = 'production' | 'sandbox';

/**
 * Compares the provider's payments with those of an environment; `since` is ISO 8601. Safe to repeat, with or without a
 * running service. Throws service_unavailable if the provider does not answer.
 */
export async function operatorReconcilePayments(
  installation: Installation,
  environment: EnvironmentName,
  since: string | undefined,
) {
  const billing = createBillingOf(installation, environment);
  try {
    return await billing.reconcile(since === undefined ? undefined : Date.parse(since), recordReconciled);
  } finally {
    await billing.close();
  }
}

/** Closes an orphaned payment that staff have dealt with. Throws not_found. */
export async function operatorResolvePayment(
  installation: Installation,
  environment: EnvironmentName,
  id: string,
  note: string,
) {
  const billing = createBillingOf(installation, environment);
  try {
    return await billing.resolvePayment(id, note, (tx, payment) => recordResolved(tx, payment, note));
  } finally {
    await billing.close();
  }
}

type Billing = ReturnType<typeof createBilling>;

/** Adopted payments are in each organization's books; this entry records the run and its counts. */
const recordReconciled: Parameters<Billing['reconcile']>[1] = async (tx, done) => {
  await recordAudit(
    tx,
    { ...OPERATOR_COMMAND, organizationId: INSTALLATION },
    {
      action: 'payments.reconciled',
      targetType: 'payment_provider',
      targetId: done.provider,
      after: { since: isoTime(done.sinceMs), resumed: done.isResumed, counts: done.counts },
    },
  );
};

type ResolvedPayment = Awaited<ReturnType<Billing['resolvePayment']>>;

/** Writes to the log of the organization that paid, if it exists here. */
async function recordResolved(tx: Queries, payment: ResolvedPayment, note: string): Promise<void> {
  const { id, provider_ref, amount, currency, organization_id: payer, orphaned_because: reason } = payment;
  const organizationId = payer === null ? undefined : await findOrganizationId(tx, payer);
  await recordAudit(
    tx,
    { ...OPERATOR_COMMAND, organizationId: organizationId ?? INSTALLATION },
    {
      action: 'payment.resolved',
      targetType: 'payment',
      targetId: id,
      before: { status: 'orphaned', orphaned_because: reason },
      after: { status: 'resolved', note, provider_ref, amount, currency },
    },
  );
}

/** Billing with the effects of an adopted payment: the license and its webhooks. */
function createBillingOf(installation: Installation, environment: EnvironmentName) {
  const { config, database, masterKey } = installation;
  const isSandbox = environment === 'sandbox';
  const { baseUrl } = addressesOf(config, environment);
  const settings = { ...config, baseUrl };
  const licensing = createLicensing({ database, outbox: createOutbox([]), masterKey, settings });
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: apiBase } = config;
  const stripe =
    secretKey === undefined || webhookSecret === undefined
      ? undefined
      : createStripeProvider({ secretKey, webhookSecret, apiBase });
  return createBilling({
    database,
    outbox: createOutbox(licensing.reactions, webhookAudience(new Nudge())),
    mailer: new Mailer(masterKey),
    masterKey,
    // The command reports the findings itself.
    log: createLogger('silent'),
    clock: systemClock,
    baseUrl,
    config,
    // The command ends before metrics could be read.
    metrics: new Metrics(environment),
    ...differsByEnvironment(config, isSandbox),
    listUsedMeters: listNamesOfUsedMeters,
    listUsedFeatures: listNamesOfUsedFeatures,
    heartbeats: config,
    provider: isSandbox ? createTestProvider({ database, masterKey }) : stripe,
  });
}
