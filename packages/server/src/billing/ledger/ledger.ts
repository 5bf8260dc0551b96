import { isDeepStrictEqual } from 'node:util';
import type { Queries } from '../../database/index.ts';
import { type Announcement, announcement } from '../../events/index.ts';
import { newId } from '../../ids/index.ts';
import { updateSubscriptionTier } from '../../organizations/index.ts';
import { type Account, lockAccount, updateInvoiceNumber } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { ENTITLEMENTS_CHANGED, type Entitlement } from '../events.ts';
import { chargeUnitOf } from '../money/amounts.ts';
import { findMethod, type MethodRow } from '../payment-methods/queries.ts';
import type { ChargeTerms } from './draft-invoice.ts';
import { findInvoice, type InvoiceRow, listInvoicesByIds } from './invoice-queries.ts';
import type { LedgerNotice } from './ledger-notice.ts';
import { findPayment, listPaymentsByIds, listPaymentsInFlight } from './payment-queries.ts';
import type { PaymentState } from './payment-state.ts';
import { findBestTier, findSubscription, listSubscriptionsByIds } from './subscription-queries.ts';
import { entitlementOf } from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';
import {
  type CreditEntry,
  creditRow,
  insertCreditEntries,
  listCredits,
  paymentRow,
  subscriptionRow,
  upsertCredits,
  upsertInvoices,
  upsertPayments,
  upsertSubscriptions,
} from './write-queries.ts';

/**
 * The ledger of one organization, in one transaction under its account's lock. Decisions change this state; the rows,
 * events and licenses are written at the end, in a few statements regardless of their number.
 */
export class Ledger {
  readonly tools: BillingTools;
  readonly tx: Queries;
  readonly account: Account;
  /** Changed objects, by ID. */
  readonly subscriptions = new Map<string, SubscriptionState>();
  readonly invoices = new Map<string, InvoiceRow>();
  readonly payments = new Map<string, PaymentState>();
  readonly creditEntries: CreditEntry[] = [];
  /**
   * Events in order, made when the ledger is written: subscriptions in their final state, invoices as they were at each
   * step.
   */
  readonly events: Array<() => Announcement> = [];
  readonly notices: LedgerNotice[] = [];
  /** Payments that the caller collects after the commit. */
  readonly claimed: PaymentState[] = [];
  /**
   * When subscriptions are due next, if that does not follow from their state: nothing could be done now, or they are
   * due immediately.
   */
  readonly dueAtMs = new Map<string, number>();
  /** Whether the organization's tier may have changed. */
  mayChangeTier = false;
  #credits: Map<string, number> | undefined;
  #lastInvoiceNumber: number;
  /** Objects read in bulk, by ID. Objects changed since are in the maps above. */
  readonly #read = {
    subscriptions: new Map<string, SubscriptionState>(),
    invoices: new Map<string, InvoiceRow>(),
    payments: new Map<string, PaymentState>(),
  };
  readonly #methods = new Map<string, Promise<MethodRow | undefined>>();

  constructor(tools: BillingTools, tx: Queries, account: Account) {
    this.tools = tools;
    this.tx = tx;
    this.account = account;
    this.#lastInvoiceNumber = account.lastInvoiceNumber;
  }

  get organizationId(): string {
    return this.account.organizationId;
  }

  /** The organization's clock when the account was locked: the same instant for all decisions in here. */
  get nowMs(): number {
    return this.account.nowMs;
  }

  /** Reads payments with their subscriptions and invoices in bulk, so that later look-ups need no query. */
  async readPayments(ids: readonly string[]): Promise<void> {
    const { tx, organizationId } = this;
    const payments = await listPaymentsByIds(tx, { organizationId, ids });
    const subscriptionIds = payments.map((each) => each.subscriptionId);
    const invoiceIds = payments.flatMap((each) => each.invoiceId ?? []);
    for (const each of payments) {
      this.#read.payments.set(each.id, each);
    }
    for (const each of await listSubscriptionsByIds(tx, { organizationId, ids: subscriptionIds })) {
      this.#read.subscriptions.set(each.id, each);
    }
    for (const each of await listInvoicesByIds(tx, { organizationId, ids: invoiceIds })) {
      this.#read.invoices.set(each.id, each);
    }
  }

  async subscription(id: string): Promise<SubscriptionState | undefined> {
    const known = this.subscriptions.get(id) ?? this.#read.subscriptions.get(id);
    return known ?? (await findSubscription(this.tx, { organizationId: this.organizationId, id }));
  }

  async invoice(id: string): Promise<InvoiceRow | undefined> {
    const known = this.invoices.get(id) ?? this.#read.invoices.get(id);
    return known ?? (await findInvoice(this.tx, { organizationId: this.organizationId, id }));
  }

  async payment(id: string): Promise<PaymentState | undefined> {
    const known = this.payments.get(id) ?? this.#read.payments.get(id);
    return known ?? (await findPayment(this.tx, { organizationId: this.organizationId, id }));
  }

  /** The method with this reference at the provider, read once. */
  methodOf(ref: string): Promise<MethodRow | undefined> {
    const asked = this.#methods.get(ref) ?? findMethod(this.tx, this.organizationId, ref);
    this.#methods.set(ref, asked);
    return asked;
  }

  /** The entitlements of changed subscriptions, except those that have not changed since they were first read. */
  get changedEntitlements(): Entitlement[] {
    return [...this.subscriptions.values()].flatMap((each) => {
      const before = this.#read.subscriptions.get(each.id);
      const entitlement = entitlementOf(each);
      return entitlement === undefined || isDeepStrictEqual(before && entitlementOf(before), entitlement)
        ? []
        : [entitlement];
    });
  }

  /** Takes the next invoice number: gapless, because a failed transaction never writes the count. */
  takeInvoiceNumber(): { sequence: number; number: string } {
    this.#lastInvoiceNumber += 1;
    const sequence = this.#lastInvoiceNumber;
    return { sequence, number: `${this.account.invoiceCode}-${String(sequence).padStart(6, '0')}` };
  }

  /** The last number taken here; undefined if there is none. */
  get takenInvoiceNumber(): number | undefined {
    return this.#lastInvoiceNumber === this.account.lastInvoiceNumber ? undefined : this.#lastInvoiceNumber;
  }

  /** The payment of a subscription whose outcome is not known yet. */
  async paymentInFlight(subscriptionId: string): Promise<PaymentState | undefined> {
    const begun = [...this.payments.values()].find(
      (each) => each.subscriptionId === subscriptionId && each.settledAtMs === null,
    );
    if (begun !== undefined) {
      return begun;
    }
    const { tx, organizationId } = this;
    const [known] = await listPaymentsInFlight(tx, { organizationId, subscriptionIds: [subscriptionId] });
    return known !== undefined && !this.payments.has(known.id) ? known : undefined;
  }

  /** The credit balance, in minor units. */
  async credit(currency: string): Promise<number> {
    return (await this.#readCredits()).get(currency) ?? 0;
  }

  /** How an invoice in this currency can be paid. If nothing is charged, there is no minimum. */
  async chargeTerms(currency: string): Promise<ChargeTerms> {
    return chargeTermsOf(this.tools, currency, await this.credit(currency));
  }

  /** Grants credit if `amount` is positive, and uses it if it is negative. */
  async changeCredit(entry: Omit<CreditEntry, 'id'>, id: string = newId('creditEntry')): Promise<void> {
    if (entry.amount !== 0) {
      const credits = await this.#readCredits();
      credits.set(entry.currency, (credits.get(entry.currency) ?? 0) + entry.amount);
      this.creditEntries.push({ ...entry, id });
    }
  }

  /** The current balances; undefined if nothing was read or changed. */
  get changedCredits(): ReadonlyMap<string, number> | undefined {
    return this.creditEntries.length === 0 ? undefined : this.#credits;
  }

  async #readCredits(): Promise<Map<string, number>> {
    if (this.#credits === undefined) {
      const rows = await listCredits(this.tx, { organizationId: this.organizationId });
      this.#credits = new Map(rows.map((row) => [row.currency, row.balance]));
    }
    return this.#credits;
  }
}

/** Locks an organization's ledger in its own transaction, lets `work` decide, and writes the decisions. */
export async function withLedger<T>(
  database: Queries,
  tools: BillingTools,
  organizationId: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const ledger = await lockLedger(tx, tools, organizationId);
    const result = await work(ledger);
    await writeLedger(ledger);
    return result;
  });
}

/**
 * Writes the changes, passes the entitlements to licensing, and announces the events: the last step of a transaction.
 */
async function writeLedger(ledger: Ledger): Promise<void> {
  const { tx, tools, account, organizationId } = ledger;
  await writeRows(ledger);
  if (ledger.mayChangeTier) {
    const tier = await findBestTier(tx, { organizationId });
    await updateSubscriptionTier(tx, { organizationId, tier: tier ?? null });
  }
  const entitlements = ledger.changedEntitlements;
  await tools.outbox.announce(tx, organizationId, account.clockOffsetMs, [
    ...(entitlements.length === 0 ? [] : [announcement(ENTITLEMENTS_CHANGED, { entitlements })]),
    ...ledger.events.map((make) => make()),
  ]);
  await tools.queueNotices(tx, account, ledger.notices);
}

async function writeRows(ledger: Ledger): Promise<void> {
  const { tx, organizationId } = ledger;
  const subscriptions = [...ledger.subscriptions.values()].map((each) =>
    subscriptionRow(each, ledger.nowMs, ledger.dueAtMs.get(each.id)),
  );
  if (subscriptions.length > 0) {
    await upsertSubscriptions(tx, { given: subscriptions });
  }
  const invoices = [...ledger.invoices.values()];
  if (invoices.length > 0) {
    await upsertInvoices(tx, { given: invoices });
  }
  if (ledger.takenInvoiceNumber !== undefined) {
    await updateInvoiceNumber(tx, { organizationId, lastNumber: ledger.takenInvoiceNumber });
  }
  const payments = [...ledger.payments.values()].map(paymentRow);
  if (payments.length > 0) {
    await upsertPayments(tx, { given: payments, claimed: ledger.claimed.map((each) => each.id) });
  }
  const credits = ledger.changedCredits;
  if (credits !== undefined) {
    const entries = ledger.creditEntries.map((entry) => creditRow(entry, organizationId, ledger.nowMs));
    await insertCreditEntries(tx, { entries });
    const balances = [...credits].map(([currency, balance]) => ({ currency, balance }));
    await upsertCredits(tx, { organizationId, credits: balances });
  }
}

/** How an invoice in this currency can be paid by an organization with this much credit. */
export function chargeTermsOf(
  { provider }: Pick<BillingTools, 'provider'>,
  currency: string,
  credit: number,
): ChargeTerms {
  const least = provider?.minAmount(currency) ?? 1;
  const unit = chargeUnitOf(currency);
  return { credit, minAmount: Math.ceil(least / unit) * unit };
}

/** Locks the ledger: the first step of a transaction. Throws not_found if the organization is deleted. */
export async function lockLedger(tx: Queries, tools: BillingTools, organizationId: string): Promise<Ledger> {
  return new Ledger(tools, tx, await lockAccount(tx, organizationId));
}
