import { type ApiError, httpError } from '../../http/index.ts';
import { findAccount, lockAccount, updateCustomer } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import type { AttachedMethod, AttachOutcome, PaymentProvider } from '../payment-provider/payment-provider.ts';
import {
  findMethod,
  findMethodToDetach,
  hasPaymentInFlight,
  type MethodToDetach,
  updateDetachedMethod,
} from './queries.ts';

/** The configured provider. Throws validation_failed if there is none. */
export function requireProvider({ provider }: Pick<BillingTools, 'provider'>): PaymentProvider {
  if (provider === undefined) {
    throw methodRefusal('payments_not_configured', 'Payments are not configured on this server.');
  }
  return provider;
}

/**
 * The organization's customer at the provider, created if there is none yet. Call it outside of a transaction. Throws
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
 * Attaches a token from the customer's browser, or a test card's name, to the organization's customer at the provider. Call it
 * outside of a transaction; attaching twice is harmless. Throws validation_failed if it cannot be attached, payment_failed if
 * the card is declined, and service_unavailable if the provider does not answer.
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
  // A method that was removed here but not yet detached counts as attached. The job would detach it later, so do it first.
  return outcome.kind === 'attached' && (await detachIfRemoved(tools, organizationId, outcome.method.ref))
    ? provider.attachMethod({ ...given, customerRef })
    : outcome;
}

/**
 * Detaches a method that was attached for an order which bought nothing, unless another request has stored it or is
 * charging it. If that fails, the method stays attached at the provider and is known nowhere else.
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
 * Detaches a method at once if it was removed here and is still attached at the provider; returns false for any other. If the
 * provider does not answer, the job tries again.
 */
async function detachIfRemoved(tools: DetachingTools, organizationId: string, ref: string): Promise<boolean> {
  const method = await findMethodToDetach(tools.database, { organizationId, ref });
  if (method === undefined) {
    return false;
  }
  await detachMethod(tools, method);
  return true;
}

/** Detaches a removed method at the provider, and notes that it has. */
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
  log.warn({ reason }, 'the payment provider gave no answer');
  return httpError('service_unavailable', 'The payment provider did not respond. Try again.', {
    headers: { 'retry-after': '5' },
  });
}
