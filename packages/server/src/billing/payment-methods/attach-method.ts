import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { type Account, findAccount, lockAccount, updateCustomer } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import { PAYMENT_METHOD_ATTACHED } from '../events.ts';
import type { AttachedMethod, AttachOutcome, PaymentProvider } from '../payment-provider/payment-provider.ts';
import {
  findDefaultMethod,
  findMethod,
  findMethodToDetach,
  hasPaymentInFlight,
  hasRemovedMethod,
  insertMethod,
  type MethodRow,
  type MethodToDetach,
  presentMethod,
  updateDefaultMethod,
  updateDetachedMethod,
  updatePastDueToRetry,
} from './queries.ts';

/** The configured provider. Throws validation_failed if there is none. */
export function requireProvider({ provider }: Pick<BillingTools, 'provider'>): PaymentProvider {
  if (provider === undefined) {
    throw methodRefusal('payments_not_configured', 'Payments are not configured on this server.');
  }
  return provider;
}

/**
 * The organization's customer at the provider, created if there is none yet. Call it outside a transaction. Throws
 * validation_failed if no payments are configured, and service_unavailable if the provider does not answer.
 */
async function ensureCustomer(tools: BillingTools, organizationId: string): Promise<string> {
  const provider = requireProvider(tools);
  const known = await findAccount(tools.database, { organizationId });
  if (known !== undefined && known.customerRef !== null) {
    return known.customerRef;
  }
  const { customerRef, organizationName, buyer } = await tools.database.transaction((tx) =>
    lockAccount(tx, organizationId),
  );
  if (customerRef !== null) {
    return customerRef;
  }
  return createCustomer(tools, provider, { organizationId, name: organizationName, email: buyer.email ?? undefined });
}

/** Replaces a customer that was deleted at the provider. Its cards are gone with it. */
async function replaceCustomer(tools: BillingTools, organizationId: string, gone: string): Promise<string> {
  const provider = requireProvider(tools);
  const { customerRef, organizationName, buyer } = await tools.database.transaction((tx) =>
    lockAccount(tx, organizationId),
  );
  if (customerRef !== null && customerRef !== gone) {
    return customerRef;
  }
  const email = buyer.email ?? undefined;
  return createCustomer(tools, provider, { organizationId, name: organizationName, email, insteadOf: gone });
}

async function createCustomer(
  tools: BillingTools,
  provider: PaymentProvider,
  customer: Parameters<PaymentProvider['createCustomer']>[0],
): Promise<string> {
  const { organizationId, insteadOf } = customer;
  const created = await provider.createCustomer(customer);
  if (created.kind === 'unknown') {
    throw providerUnavailable(tools, created.reason);
  }
  return tools.database.transaction(async (tx) => {
    const account = await lockAccount(tx, organizationId);
    if (account.customerRef !== null && account.customerRef !== insteadOf) {
      return account.customerRef;
    }
    const { customerRef } = created;
    await updateCustomer(tx, { organizationId, customerRef });
    return customerRef;
  });
}

/**
 * Attaches a token from the customer's browser, or a test card's name, to the organization's customer at the provider.
 * Call it outside a transaction; attaching twice is harmless. Throws validation_failed if it cannot be attached,
 * payment_failed if the card is declined, and service_unavailable if the provider does not answer.
 */
export async function attachToken(
  tools: BillingTools,
  organizationId: string,
  token: string,
  nowMs: number,
): Promise<AttachedMethod> {
  const provider = requireProvider(tools);
  const outcome = await attach(tools, provider, organizationId, { token, nowMs });
  switch (outcome.kind) {
    case 'attached':
      return outcome.method;
    case 'declined':
      throw paymentFailed(outcome.declineCode);
    case 'refused':
      throw methodRefusal(outcome.reason, REFUSALS[outcome.reason]);
    case 'customer_gone':
      throw providerUnavailable(tools, 'the customer is gone, and so is its replacement');
    case 'unknown':
      throw providerUnavailable(tools, outcome.reason);
  }
}

async function attach(
  tools: BillingTools,
  provider: PaymentProvider,
  organizationId: string,
  given: { token: string; nowMs: number },
): Promise<AttachOutcome> {
  const customerRef = await ensureCustomer(tools, organizationId);
  const outcome = await provider.attachMethod({ ...given, customerRef });
  if (outcome.kind === 'customer_gone') {
    const other = await replaceCustomer(tools, organizationId, customerRef);
    return provider.attachMethod({ ...given, customerRef: other });
  }
  // A method that was removed here but not yet detached counts as attached. The job would detach it later, so detach it
  // first.
  return outcome.kind === 'attached' && (await detachIfRemoved(tools, organizationId, outcome.method.ref))
    ? provider.attachMethod({ ...given, customerRef })
    : outcome;
}

/**
 * Stores a method that the provider has attached, and announces it; a known one stays unchanged. The first one becomes
 * the default, as does one with `setDefault`: past-due invoices are then retried with it, immediately if the caller
 * rings `tools.due` after the commit. No past-due subscription may be loaded, because saving it later would overwrite
 * that. The account is locked. Throws conflict if the method was removed in the meantime.
 */
export async function addMethod(
  tx: Queries,
  tools: Pick<BillingTools, 'outbox' | 'provider'>,
  account: Account,
  attached: AttachedMethod,
  setDefault: boolean,
): Promise<MethodRow> {
  const { organizationId, clockOffsetMs } = account;
  const known = await findMethod(tx, organizationId, attached.ref);
  if (known !== undefined) {
    return setDefault ? changeDefault(tx, account, known) : known;
  }
  if (await hasRemovedMethod(tx, { organizationId, ref: attached.ref })) {
    throw httpError('conflict', 'This payment method was removed and cannot be attached again. Create a new one.');
  }
  const hasDefault = (await findDefaultMethod(tx, { organizationId })) !== undefined;
  const inserted = await insertMethod(tx, {
    ...attached,
    organizationId,
    id: newId('paymentMethod'),
    provider: requireProvider(tools).name,
    isDefault: !hasDefault,
    customerRef: account.customerRef,
    clockOffsetMs,
  });
  const row = setDefault && hasDefault ? await changeDefault(tx, account, inserted) : inserted;
  if (!hasDefault) {
    await updatePastDueToRetry(tx, { organizationId, clockOffsetMs });
  }
  await tools.outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(PAYMENT_METHOD_ATTACHED, { ...presentMethod(row), payment_method_id: row.id }),
  ]);
  return row;
}

/** Stores a card that came with an order, after it was charged. One that was removed in the meantime stays removed. */
export async function addChargedMethod(
  tx: Queries,
  tools: Pick<BillingTools, 'outbox' | 'provider'>,
  account: Account,
  method: AttachedMethod | null,
): Promise<MethodRow | undefined> {
  const { organizationId } = account;
  return method === null || (await hasRemovedMethod(tx, { organizationId, ref: method.ref }))
    ? undefined
    : addMethod(tx, tools, account, method, false);
}

/**
 * Makes a method the default and lets past-due invoices be retried with it; does nothing if it already is the default.
 */
export async function changeDefault(tx: Queries, account: Account, row: MethodRow): Promise<MethodRow> {
  if (row.is_default) {
    return row;
  }
  const { organizationId, clockOffsetMs } = account;
  const moved = await updateDefaultMethod(tx, { organizationId, id: row.id });
  if (moved === undefined) {
    throw new Error('a payment method is gone while its account is locked');
  }
  await updatePastDueToRetry(tx, { organizationId, clockOffsetMs });
  return moved;
}

/**
 * Detaches a method that was attached for a failed order, unless another request has stored it or is charging it. If
 * that fails, the method stays attached at the provider and is known nowhere else.
 */
export async function detachUnused(tools: BillingTools, organizationId: string, ref: string): Promise<void> {
  const { database, provider } = tools;
  const isUsed =
    (await findMethod(database, organizationId, ref)) !== undefined ||
    (await hasPaymentInFlight(database, { organizationId, id: ref, ref }));
  if (!isUsed) {
    const customerRef = await ensureCustomer(tools, organizationId);
    await provider?.detachMethod({ customerRef, methodRef: ref });
  }
}

export type DetachingTools = Pick<BillingTools, 'database' | 'provider' | 'log'>;

/**
 * Detaches a method immediately if it was removed here and is still attached at the provider; returns false for any
 * other. If the provider does not answer, the job tries again.
 */
async function detachIfRemoved(tools: DetachingTools, organizationId: string, ref: string): Promise<boolean> {
  const method = await findMethodToDetach(tools.database, { organizationId, ref });
  if (method === undefined) {
    return false;
  }
  await detachMethod(tools, method);
  return true;
}

/** Detaches a removed method at the provider, and records it. */
export async function detachMethod({ database, provider, log }: DetachingTools, method: MethodToDetach): Promise<void> {
  // A method of another provider waits until that provider is configured again.
  if (provider?.name !== method.provider) {
    return;
  }
  const outcome = await provider.detachMethod({ customerRef: method.customer_ref, methodRef: method.provider_ref });
  if (outcome.kind === 'unknown') {
    log.warn({ payment_method: method.id, reason: outcome.reason }, 'a payment method could not be detached yet');
    return;
  }
  await updateDetachedMethod(database, { organizationId: method.organization_id, id: method.id });
}

/** The refusal of a payment method; `reason` goes into the details. */
export function methodRefusal(reason: string, message: string): ApiError {
  return httpError('validation_failed', message, { details: { field: 'payment_method_id', reason } });
}

const REFUSALS = {
  unknown: 'The payment provider has no such payment method.',
  in_use: 'This payment method belongs to another customer.',
  expired: 'The card has expired.',
} as const;

/** The provider's reason is only for the log. */
function providerUnavailable({ log }: BillingTools, reason: string): ApiError {
  log.warn({ reason }, 'the payment provider did not answer');
  return httpError('service_unavailable', 'The payment provider did not respond. Try again.', {
    headers: { 'retry-after': '5' },
  });
}
