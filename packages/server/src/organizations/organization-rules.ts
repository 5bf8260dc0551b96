import { invalidRequest } from '../http/index.ts';
import { parseEmail } from '../users/index.ts';
import type { OrganizationContent } from './organization-queries.ts';
import type { BillingDetails, BillingDetailsInput, OrganizationChange } from './schemas.ts';

/** An organization after a change. Omitted fields stay unchanged. */
export function applyChange(current: OrganizationContent, change: OrganizationChange): OrganizationContent {
  return {
    name: change.name?.trim() ?? current.name,
    slug: change.slug ?? current.slug,
    billing_details: changeBillingDetails(current.billing_details, change.billing_details),
  };
}

/** Whether both look the same in the API. */
export function isSameContent(one: OrganizationContent, other: OrganizationContent): boolean {
  const [details, others] = [one.billing_details ?? NONE, other.billing_details ?? NONE];
  return (
    one.name === other.name && one.slug === other.slug && FIELDS.every((field) => details[field] === others[field])
  );
}

/** The details in the API's order, which PostgreSQL does not preserve. */
export function orderBillingDetails(details: BillingDetails | null): BillingDetails | null {
  return details === null
    ? null
    : { legal_name: details.legal_name, address: details.address, tax_id: details.tax_id, email: details.email };
}

/** Returns null if no detail is left. */
function changeBillingDetails(
  current: BillingDetails | null,
  change: BillingDetailsInput | null | undefined,
): BillingDetails | null {
  if (change === undefined || change === null) {
    return change === null ? null : current;
  }
  const given = {
    ...change,
    ...(typeof change.email === 'string' ? { email: parseBillingEmail(change.email) } : {}),
  };
  const next = { ...(current ?? NONE) };
  for (const field of FIELDS) {
    const value = given[field];
    next[field] = value === undefined ? next[field] : (value?.trim() ?? null);
  }
  return FIELDS.every((field) => next[field] === null) ? null : next;
}

function parseBillingEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    throw invalidRequest('billing_details.email', 'format', 'billing_details.email must be a valid email address.');
  }
  return email;
}

const FIELDS = ['legal_name', 'address', 'tax_id', 'email'] as const;
const NONE: BillingDetails = { legal_name: null, address: null, tax_id: null, email: null };
