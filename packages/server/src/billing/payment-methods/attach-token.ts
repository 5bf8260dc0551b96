import { type ApiError, httpError } from '../../http/index.ts';
import { openAccount } from '../accounts/open-account.ts';
import { READ_ACCOUNT, UPDATE_CUSTOMER } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import type { AttachedMethod, AttachOutcome, PaymentProvider } from '../payment-provider/payment-provider.ts';
import { detachIfRemoved } from './detach-removed-methods.ts';

/** The provider that is configured. Throws validation_failed where there is none. */
export function requireProvider({ provider }: Pick<BillingTools, 'provider'>): PaymentProvider {
  if (provider === undefined) {
    throw refusedMethod('payments_not_configured', 'Payments are not configured on this server.');
  }
  return provider;
}

/**
 * The organization's customer at the provider, which is made when there is none yet. To be called outside of a transaction.
 * Throws validation_failed where no payments are configured, and service_unavailable when the provider gives no answer.
 */
export async function ensureCustomer(tools: BillingTools, organizationId: string): Promise<string> {
  const provider = requireProvider(tools);
  const [known] = await tools.database.query(READ_ACCOUNT, [organizationId]);
  if (known !== undefined && known.customer_ref !== null) {
    return known.customer_ref;
  }
  const { customerRef, organizationName, buyer } = await tools.database.transaction((tx) =>
    openAccount(tx, organizationId),
  );
  if (customerRef !== null) {
    return customerRef;
  }
  return openCustomer(tools, provider, { organizationId, name: organizationName, email: buyer.email ?? undefined });
}

/** Another customer in the place of one that somebody deleted at the provider. Its cards went with it. */
async function replaceCustomer(tools: BillingTools, organizationId: string, gone: string): Promise<string> {
  const provider = requireProvider(tools);
  const { customerRef, organizationName, buyer } = await tools.database.transaction((tx) =>
    openAccount(tx, organizationId),
  );
  if (customerRef !== null && customerRef !== gone) {
    return customerRef;
  }
  const email = buyer.email ?? undefined;
  return openCustomer(tools, provider, { organizationId, name: organizationName, email, insteadOf: gone });
}

async function openCustomer(
  tools: BillingTools,
  provider: PaymentProvider,
  customer: Parameters<PaymentProvider['openCustomer']>[0],
): Promise<string> {
  const { organizationId, insteadOf } = customer;
  const opened = await provider.openCustomer(customer);
  if (opened.kind === 'unknown') {
    throw noAnswer(tools, opened.reason);
  }
  return tools.database.transaction(async (tx) => {
    const account = await openAccount(tx, organizationId);
    if (account.customerRef !== null && account.customerRef !== insteadOf) {
      return account.customerRef;
    }
    await tx.query(UPDATE_CUSTOMER, [organizationId, opened.customerRef]);
    return opened.customerRef;
  });
}

/**
 * Ties what the customer's browser gave them, or a test card's name, to the organization's customer at the provider. To be
 * called outside of a transaction; once is as good as twice. Throws validation_failed for what cannot be attached,
 * payment_failed when the card is declined, and service_unavailable when the provider gives no answer.
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
      throw refusedMethod(outcome.reason, REFUSALS[outcome.reason]);
    case 'customer_gone':
      throw noAnswer(tools, 'the customer is gone, and so is the one that was made in its place');
    case 'unknown':
      throw noAnswer(tools, outcome.reason);
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
  // One that was removed and is still tied was found tied. The job would untie it afterwards, so it is untied first.
  return outcome.kind === 'attached' && (await detachIfRemoved(tools, organizationId, outcome.method.ref))
    ? provider.attachMethod({ ...given, customerRef })
    : outcome;
}

/** The refusal of a payment method for a reason of `details`. */
export function refusedMethod(reason: string, message: string): ApiError {
  return httpError('validation_failed', message, { details: { field: 'payment_method_id', reason } });
}

const REFUSALS = {
  unknown: 'There is no such payment method at the payment provider.',
  in_use: 'This payment method is attached elsewhere.',
  expired: 'The card has expired.',
} as const;

/** The provider's reason is for the log alone. */
function noAnswer({ log }: BillingTools, reason: string): ApiError {
  log.warn({ reason }, 'the payment provider gave no answer');
  return httpError('service_unavailable', 'The payment provider gives no answer; try again.', {
    headers: { 'retry-after': '5' },
  });
}
