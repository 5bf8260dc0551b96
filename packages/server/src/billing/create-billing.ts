import type { Config } from '../config/index.ts';
import type { EventDefinition, Reaction } from '../events/index.ts';
import type { Metrics, Route } from '../http/index.ts';
import { type Job, Nudge, type TimeTraveler } from '../jobs/index.ts';
import type { Attachment, AttachmentReference } from '../mail/index.ts';
import type { BillingTools, SubscriptionCaps } from './billing-tools.ts';
import type { CatalogueTools } from './catalogue/replace-catalogue.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { creditBalanceRoutes } from './credit-balance/routes.ts';
import { BILLING_EVENTS } from './events.ts';
import { exportRoutes } from './exports/routes.ts';
import { attachInvoice } from './invoices/attach-invoice.ts';
import { PdfRenderer } from './invoices/pdf/pdf-renderer.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { createNoticeQueue } from './notices/queue-notices.ts';
import { operatedProductRoutes } from './operated-products/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { detachRemovedMethodsJob } from './payment-methods/detach-removed-methods.ts';
import { onMethodDetached } from './payment-methods/on-method-detached.ts';
import { ON_ORG_DELETED } from './payment-methods/on-org-deleted.ts';
import { paymentMethodRoutes } from './payment-methods/routes.ts';
import { checkPaymentsJob, settleByRef } from './payments/check-payments.ts';
import { planRoutes } from './plans/routes.ts';
import { deleteOldProviderEventsJob } from './provider-webhook/jobs.ts';
import { providerWebhookRoutes } from './provider-webhook/routes.ts';
import { mailOrphansJob, reviewAwaitedJob } from './reconciliation/jobs.ts';
import { LIST_PAYMENTS } from './reconciliation/list-route.ts';
import { receivePayment } from './reconciliation/receive-payment.ts';
import {
  type Reconciliation,
  type RecordReconciliation,
  reconcilePayments,
} from './reconciliation/reconcile-payments.ts';
import { type RecordResolution, resolvePayment } from './reconciliation/resolve-payment.ts';
import type { ListedPayment } from './reconciliation/schemas.ts';
import { findUnrecordedCharges } from './recovery/find-unrecorded-charges.ts';
import { recoverCharge } from './recovery/recover-charge.ts';
import { billingTraveler, dueSubscriptionsJob } from './renewals/due-subscriptions-job.ts';
import { bookRetentionJob } from './retention/delete-old-books.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';

/** The dependencies of this room. */
export interface BillingRoomTools
  extends Pick<BillingTools, 'database' | 'outbox' | 'mailer' | 'masterKey' | 'log' | 'clock' | 'baseUrl' | 'provider'>,
    CatalogueTools {
  config: Pick<Config, 'dunningDays' | 'seller' | 'financeEmail' | 'retentionInvoicesDays'>;
  metrics: Metrics;
  /** A watermark across every page of an invoice; empty for none. */
  invoiceWatermark: string;
  caps: SubscriptionCaps;
}

/** The billing room in one environment. */
export interface Billing {
  routes: Route[];
  jobs: Job[];
  events: readonly EventDefinition[];
  reactions: Reaction[];
  traveler: TimeTraveler;
  /** Updates the status of a payment, found by the provider's reference; see payments/check-payments.ts. */
  settleByRef(provider: string, paymentRef: string): Promise<void>;
  /** The PDF of an invoice that a mail attaches; undefined if the invoice is gone. */
  attachInvoice(reference: AttachmentReference): Promise<Attachment | undefined>;
  /** Compares the provider's payments with those here; see reconciliation/reconcile-payments.ts. */
  reconcile(sinceMs: number | undefined, record: RecordReconciliation): Promise<Reconciliation>;
  /** Closes an orphaned payment that staff have dealt with; see reconciliation/resolve-payment.ts. */
  resolvePayment(id: string, note: string, record: RecordResolution): Promise<ListedPayment>;
  close(): Promise<void>;
}

/** Creates the room. */
export function createBilling(roomTools: BillingRoomTools): Billing {
  const { database, provider, clock, config, invoiceWatermark } = roomTools;
  const tools = createBillingTools(roomTools);
  const removed = new Nudge();
  const renderer = new PdfRenderer();
  const fileTools = { renderer, seller: tools.settings.seller, watermark: invoiceWatermark };
  const providerWebhook = {
    provider,
    database,
    onPayment: (paymentRef: string) => receivePayment(tools, 'stripe', paymentRef),
    onMethodDetached: (methodRef: string) => onMethodDetached(tools, methodRef),
  };
  return {
    routes: [
      ...planRoutes(),
      ...catalogueRoutes(roomTools),
      ...operatedProductRoutes(roomTools),
      ...subscriptionRoutes(tools),
      ...paymentMethodRoutes(tools, removed),
      ...invoiceRoutes(tools, fileTools),
      ...creditBalanceRoutes(),
      LIST_PAYMENTS,
      ...operatorRoutes(tools),
      ...exportRoutes(clock),
      ...providerWebhookRoutes(providerWebhook),
    ],
    jobs: [
      dueSubscriptionsJob(tools),
      checkPaymentsJob(tools),
      mailOrphansJob(tools),
      reviewAwaitedJob(tools),
      deleteOldProviderEventsJob(database),
      ...bookRetentionJob(database, clock, config.retentionInvoicesDays),
      detachRemovedMethodsJob(tools, removed),
    ],
    events: BILLING_EVENTS,
    reactions: [ON_ORG_DELETED],
    traveler: billingTraveler(tools),
    settleByRef: (provider, paymentRef) => settleByRef(tools, provider, paymentRef),
    attachInvoice: (reference) => attachInvoice(database, fileTools, reference),
    reconcile: (sinceMs, record) => reconcilePayments(tools, sinceMs, record),
    resolvePayment: (id, note, record) => resolvePayment(tools, id, note, record),
    close: () => renderer.close(),
  };
}

function createBillingTools({ config, metrics, caps, ...given }: BillingRoomTools): BillingTools {
  const latePayments = metrics.labeledCounter(
    'seathold_late_payments_total',
    'Payments that became credit, because their subscription or invoice was closed, they were booked as failed, or their record was lost.',
    'lateness',
  );
  const reporting = { ...given, settings: { ...config, caps }, latePayments };
  const tools: BillingTools = {
    ...reporting,
    due: new Nudge(),
    orphaned: new Nudge(),
    queueNotices: createNoticeQueue(reporting),
    recovery: {
      findCharges: (...given) => findUnrecordedCharges(tools, ...given),
      recoverCharge: (...given) => recoverCharge(tools, ...given),
    },
  };
  return tools;
}
