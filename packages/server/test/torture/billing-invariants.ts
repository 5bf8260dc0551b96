import { isDeepStrictEqual } from 'node:util';
import type { InvoiceRecord, PaymentRecord, Records, SubscriptionRecord } from './billing-records.ts';

/** Records that were final when they were seen, and must never change again. */
export type Finals = Map<string, unknown>;

/** Throws if an organization's records break an invariant that holds even while work is in progress. */
export function requireAlways(records: Records, finals: Finals): void {
  requireInvoicesSound(records);
  requirePaymentsSound(records);
  requireCreditSound(records);
  requireCouponsCounted(records);
  for (const subscription of records.subscriptions) {
    requireStanding(records, subscription);
    requireLedger(records, subscription);
    requireLicense(records, subscription);
  }
  requireEvents(records);
  requireFinal(records, finals);
}

/** Throws if something is still in progress, or if money moved without a record. */
export function requireSettled(records: Records): void {
  for (const payment of records.payments) {
    must(payment.settled_at !== null, `${payment.id} (${payment.purpose}, ${payment.status}) came to an end`);
  }
  const collected = records.charges.filter((charge) => charge.status === 'succeeded');
  for (const { ref } of collected) {
    const payment = records.payments.find(({ provider_ref }) => provider_ref === ref);
    must(payment?.status === 'succeeded', `the money of ${ref} has a record`);
  }
  must(
    sum(collected) === sum(records.payments.filter((each) => each.status === 'succeeded')),
    'the provider collected what the records say',
  );
  for (const subscription of records.subscriptions) {
    const isLive = subscription.ended_at === null;
    must(!isLive || at(subscription.next_action_at) > at(records.now), `nothing of ${subscription.id} is overdue`);
    must(!subscription.requires_action, `${subscription.id} waits for nobody`);
  }
}

/** Whether nothing is in progress and nothing is due. */
export function isQuiet(records: Records): boolean {
  const isOverdue = ({ ended_at, next_action_at }: SubscriptionRecord) =>
    ended_at === null && at(next_action_at) <= at(records.now);
  return records.payments.every((each) => each.settled_at !== null) && !records.subscriptions.some(isOverdue);
}

export function must(isSo: boolean, promise: string): void {
  if (!isSo) {
    throw new Error(`broken: ${promise}`);
  }
}

const sum = (rows: ReadonlyArray<{ amount: number }>) => rows.reduce((total, { amount }) => total + amount, 0);
const at = (time: string | null) => (time === null ? Number.NaN : Date.parse(time));
const isCollected = ({ status }: PaymentRecord) => status === 'succeeded';

function requireInvoicesSound({ invoices, invoice_code, last_invoice_number }: Records): void {
  must(invoices.length === last_invoice_number, 'as many invoices as numbers');
  invoices.forEach((invoice, place) => {
    const { id, lines, amount_due, subtotal, discount, tax, credit_applied, status } = invoice;
    must(invoice.sequence === place + 1, `the numbers have no gap at ${id}`);
    must(invoice.number === `${invoice_code}-${String(place + 1).padStart(6, '0')}`, `the number of ${id}`);
    must(
      lines.every((line) => line.amount === line.quantity * line.unit_amount),
      `the lines of ${id} multiply out`,
    );
    must(sum(lines) === subtotal && amount_due >= 0, `the lines of ${id} add up to its subtotal`);
    must(subtotal - discount + tax - credit_applied === amount_due, `the totals of ${id}`);
    must(sum(invoice.tax_lines) === tax, `the tax lines of ${id} add up to its tax`);
    must(invoice.amount_paid === (status === 'paid' ? amount_due : 0), `the amount paid of ${id}`);
    must(status !== 'open' || amount_due > 0, `${id} is not open with nothing due`);
  });
  const periods = invoices.filter(({ reason, status }) => reason !== 'change' && status !== 'void');
  const names = periods.map((each) => `${each.subscription_id} ${each.period_index}`);
  must(new Set(names).size === names.length, `no period is billed twice: ${names.join(', ')}`);
}

function requirePaymentsSound(records: Records): void {
  for (const invoice of records.invoices) {
    const paying = records.payments.filter((each) => each.invoice_id === invoice.id && isCollected(each));
    const wanted = invoice.status === 'paid' && invoice.amount_due > 0 ? 1 : 0;
    must(paying.length === wanted, `${invoice.id}, ${invoice.status}, was paid ${paying.length} times`);
    must(sum(paying) === invoice.amount_paid, `${invoice.id} was paid its exact amount`);
  }
  for (const each of records.payments) {
    const charge = records.charges.find(({ ref }) => ref === each.provider_ref);
    if (isCollected(each)) {
      must(charge?.status === 'succeeded' && charge.amount === each.amount, `${each.id} was collected`);
    } else if (each.settled_at !== null) {
      must(
        charge?.status !== 'succeeded',
        `${each.id} is ${each.status}, and its money did not move: ${JSON.stringify([each, charge])}`,
      );
    }
  }
  const over = records.payments.filter((each) => isCollected(each) && each.invoice_id === null);
  const given = records.entries.filter((each) => each.reason === 'late_payment' && each.invoice_id === null);
  must(sum(over) === sum(given), 'payments that arrived too late became credit');
  const flights = records.payments.filter((each) => each.settled_at === null).map((each) => each.subscription_id);
  must(new Set(flights).size === flights.length, 'a subscription has one payment at a time');
}

function requireCreditSound({ credits, entries, invoices, payments }: Records): void {
  for (const { currency, balance } of credits) {
    must(balance >= 0, 'no credit balance is negative');
    must(
      sum(entries.filter((each) => each.currency === currency)) === balance,
      'the balance is the sum of the entries',
    );
  }
  for (const { id, status, credit_applied } of invoices) {
    const used = -sum(entries.filter((each) => each.invoice_id === id));
    const isGivenUp = status === 'void' || status === 'uncollectible';
    must(used === (isGivenUp ? 0 : credit_applied), `${id}, ${status}, uses ${used} of credit`);
  }
  const known = new Set(invoices.map(({ id }) => id));
  const waiting = new Set(payments.filter((each) => each.settled_at === null).map((each) => each.intent.invoice?.id));
  for (const id of new Set(entries.flatMap(({ invoice_id }) => invoice_id ?? []))) {
    const left = sum(entries.filter((each) => each.invoice_id === id));
    must(known.has(id) || waiting.has(id) || left === 0, `credit that ${id} did not use is given back`);
  }
}

function requireCouponsCounted({ coupons, subscriptions, payments }: Records): void {
  for (const { id, code, redemptions, max_redemptions_per_organization: most } of coupons) {
    const held = subscriptions.filter(
      (each) => each.coupon_id === id && !(each.ended_at !== null && each.license_id === null),
    );
    const kept = payments.filter(
      (each) => each.settled_at === null && each.invoice_id === null && each.intent.couponId === id,
    );
    must(redemptions === held.length + kept.length, `${code} counts ${redemptions} of ${held.length + kept.length}`);
    must(held.length + kept.length <= most, `${code} is redeemed at most ${most} times per organization`);
  }
}

/** Its status follows from the invoice of its period. */
function requireStanding({ invoices, payments }: Records, subscription: SubscriptionRecord): void {
  const { id, status, period_index, license_id } = subscription;
  const own = invoices.filter((each) => each.subscription_id === id && each.reason !== 'change');
  const current = own.find((each) => each.period_index === period_index);
  const standing: Record<SubscriptionRecord['status'], ReadonlyArray<InvoiceRecord['status']>> = {
    incomplete: ['open'],
    active: ['paid', 'open'],
    past_due: ['open'],
    canceled: ['paid', 'void'],
    expired: license_id === null ? ['void'] : ['uncollectible'],
  };
  must(current !== undefined && standing[status].includes(current.status), `${id}, ${status}: ${current?.status}`);
  const isUnderWay = payments.some((each) => each.invoice_id === current?.id && each.settled_at === null);
  must(status !== 'active' || current?.status === 'paid' || isUnderWay, `${id} is active, and its period is paid`);
  must((subscription.ended_at === null) === (subscription.next_action_at !== null), `${id} has something due`);
  must(own.length === period_index + 1, `each period of ${id} has an invoice`);
  const change = payments.find((each) => each.subscription_id === id && each.purpose === 'change' && !each.settled_at);
  const isWaiting = change !== undefined && change.invoice_id !== null;
  must((subscription.pending_quantity !== null) === isWaiting, `the pending change of ${id} is being paid`);
}

/** The amount billed for the current period is its exact cost, rounded, and matches the invoices and the credit. */
function requireLedger({ invoices, entries }: Records, subscription: SubscriptionRecord): void {
  const { id, period_index, current_period_start, current_period_end, period_billed } = subscription;
  const length = BigInt((at(current_period_end) - at(current_period_start)) / 1000);
  const error = 2n * (BigInt(period_billed) * length - BigInt(subscription.accrued));
  must((error < 0n ? -error : error) <= length, `${id} is billed within half a unit`);
  const billed = invoices.filter(
    (each) =>
      each.subscription_id === id &&
      each.period_index === period_index &&
      (each.reason !== 'change' || each.status === 'paid'),
  );
  const credited = entries.filter(
    (each) =>
      each.subscription_id === id && each.reason === 'decrease' && at(each.created_at) >= at(current_period_start),
  );
  const total = billed.reduce((soFar, each) => soFar + each.subtotal - each.discount, 0) - sum(credited);
  must(total === period_billed, `${id} was billed ${total}, not ${period_billed}`);
}

function requireLicense({ licenses, plans }: Records, subscription: SubscriptionRecord): void {
  const { id, status, license_id, ended_at, dunning_ends_at, current_period_end } = subscription;
  const license = licenses.find((each) => each.subscription_id === id);
  must(license?.id === (license_id ?? undefined), `the license of ${id} is ${license_id}`);
  must(!['active', 'past_due'].includes(status) || license_id !== null, `${id}, ${status}, has a license`);
  must(status !== 'incomplete' || license_id === null, `${id} is not paid, and has no license`);
  const plan = plans.find((each) => each.id === subscription.plan_id);
  if (license === undefined || plan === undefined) {
    return;
  }
  const endsAt =
    at(ended_at ?? (status === 'past_due' ? dunning_ends_at : current_period_end)) +
    (status === 'active' && !subscription.cancel_at_period_end ? plan.grace_seconds * 1000 : 0);
  must(at(license.expires_at) === endsAt, `${license.id} of ${id}, ${status}, ends at ${license.expires_at}`);
  must(license.renews === (status === 'active' && !subscription.cancel_at_period_end), `${license.id} renews`);
  must(
    license.max_seats === subscription.quantity && license.product === plan.product,
    `${license.id} matches what is paid for`,
  );
  must(isDeepStrictEqual(license.features, plan.license_features), `the features of ${license.id}`);
}

function requireEvents({ events, subscriptions, invoices, plans, tier }: Records): void {
  const countEvents = (type: string, about: string) =>
    events.filter((each) => each.type === type && each.about === about).length;
  for (const { id, status, ...subscription } of subscriptions) {
    const endedByItself = status === 'expired' || (status === 'canceled' && subscription.cancel_at_period_end);
    must(countEvents('subscription.created', id) === 1, `${id} has one creation event`);
    must(countEvents('subscription.expired', id) === (endedByItself ? 1 : 0), `${id}, ${status}, has its expiry event`);
    must(
      subscription.canceled_at === null || countEvents('subscription.canceled', id) > 0,
      `${id} has its cancellation event`,
    );
  }
  for (const { id, status } of invoices) {
    must(countEvents('invoice.created', id) === 1, `${id} has one creation event`);
    must(countEvents('invoice.paid', id) === (status === 'paid' ? 1 : 0), `${id}, ${status}, has its payment event`);
  }
  const usable = subscriptions.filter(({ status }) => status === 'active' || status === 'past_due');
  const tiers = usable.map((each) => plans.find(({ id }) => id === each.plan_id)?.tier);
  const best = ['enterprise', 'pro'].find((each) => tiers.includes(each)) ?? 'free';
  must(tier === best, `the tier is ${tier}, not ${best}`);
}

function requireFinal(records: Records, finals: Finals): void {
  const ended = records.subscriptions.filter(({ ended_at }) => ended_at !== null);
  const closed = records.invoices.filter(({ status }) => status !== 'open');
  const settled = records.payments.filter(({ settled_at }) => settled_at !== null);
  for (const row of [...ended, ...closed, ...settled]) {
    const before = finals.get(row.id);
    must(before === undefined || isDeepStrictEqual(before, row), `${row.id} is final: ${JSON.stringify(row)}`);
    finals.set(row.id, row);
  }
  for (const id of finals.keys()) {
    const isThere = [...ended, ...closed, ...settled].some((row) => row.id === id);
    must(isThere, `${id} is final`);
  }
}
