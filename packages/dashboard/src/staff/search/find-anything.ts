import { type Seathold, SeatholdError } from '@seathold/client';
import { personalApi } from '../../api/index.ts';
import { type Place, planSearch } from './plan-search.ts';
import { timeOfId } from './time-of-id.ts';

/** A search result with its screen. */
export interface Found {
  kind: 'customer' | 'user' | 'license' | 'subscription' | 'invoice' | 'payment' | 'request';
  id: string;
  title: string;
  note: string;
  to: string;
}

/** The limit per kind; beyond it, the search has to be more specific. */
const FEW = 5;

/** Searches for a text everywhere it may occur. Each result is returned once. */
export async function findAnything(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { operator } = personalApi();
  const found = await Promise.all(planSearch(text).map((place) => orNothing(LOOK[place](operator, text, signal))));
  return [...new Map(found.flat().map((each) => [each.id, each])).values()];
}

type Look = (operator: Seathold['operator'], text: string, signal: AbortSignal) => Promise<readonly Found[]>;

const LOOK: Readonly<Record<Place, Look>> = {
  customers: async (operator, query, signal) =>
    (await operator.listOperatedOrganizations({ query, limit: FEW }, { signal })).data.map(presentCustomer),
  customersByExternalId: async (operator, externalId, signal) =>
    (await operator.listOperatedOrganizations({ external_id: externalId, limit: FEW }, { signal })).data.map(
      presentCustomer,
    ),
  users: async (operator, query, signal) =>
    (await operator.listOperatedUsers({ query, limit: FEW }, { signal })).data.map(({ id, name, email }) => ({
      kind: 'user',
      id,
      title: name,
      note: email,
      to: `/staff/users/${id}`,
    })),
  license: async (operator, id, signal) => {
    return [presentLicense(await operator.getLicense(id, { signal }))];
  },
  licensesByKey: async (operator, key, signal) =>
    (await operator.listLicenses({ key, limit: FEW }, { signal })).data.map(presentLicense),
  licensesByExternalId: async (operator, externalId, signal) =>
    (await operator.listLicenses({ external_id: externalId, limit: FEW }, { signal })).data.map(presentLicense),
  subscription: async (operator, id, signal) =>
    (await findById(id, (query) => operator.listSubscriptions(query, { signal }))).map((subscription) => ({
      kind: 'subscription',
      id,
      title: subscription.plan.name,
      note: subscription.organization_id,
      to: `/staff/customers/${subscription.organization_id}?tab=subscriptions`,
    })),
  invoice: async (operator, id, signal) =>
    (await findById(id, (query) => operator.listInvoices(query, { signal }))).map(presentInvoice),
  invoicesByNumber: async (operator, number, signal) =>
    (await operator.listInvoices({ number: number.toUpperCase(), limit: FEW }, { signal })).data.map(presentInvoice),
  payment: async (operator, id, signal) =>
    (await findById(id, (query) => operator.listPayments(query, { signal }))).map(presentPayment),
  paymentsByReference: async (operator, reference, signal) =>
    (await operator.listPayments({ provider_ref: reference, limit: FEW }, { signal })).data.map(presentPayment),
  request: async (operator, id, signal) => {
    const { method, route, status, code } = await operator.getRequestRecord(id, { signal });
    const note = `${status} ${code ?? ''}`;
    return [{ kind: 'request', id, title: `${method} ${route ?? ''}`, note, to: `/staff/requests/${id}` }];
  },
};

function presentCustomer({ id, name }: { id: string; name: string }): Found {
  return { kind: 'customer', id, title: name, note: id, to: `/staff/customers/${id}` };
}

function presentLicense({ id, product, key }: { id: string; product: string; key: string }): Found {
  return { kind: 'license', id, title: product, note: key, to: `/staff/licenses/${id}` };
}

function presentInvoice(invoice: {
  id: string;
  number: string | null;
  buyer_name: string;
  organization_id: string;
}): Found {
  const { id, number, buyer_name: buyer, organization_id: organizationId } = invoice;
  return {
    kind: 'invoice',
    id,
    title: number ?? id,
    note: buyer,
    to: `/staff/customers/${organizationId}?tab=invoices`,
  };
}

function presentPayment(payment: { id: string; provider_ref: string | null; organization_id: string | null }): Found {
  const { id, provider_ref: reference, organization_id: organizationId } = payment;
  return {
    kind: 'payment',
    id,
    title: reference ?? id,
    note: organizationId ?? '',
    to: reference === null ? '/staff/payments' : `/staff/payments?${new URLSearchParams({ provider_ref: reference })}`,
  };
}

/** Text that is not an ID and too long for a name cannot be found. */
async function orNothing(look: Promise<readonly Found[]>): Promise<readonly Found[]> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof SeatholdError && (error.status === 404 || error.status === 400)) {
      return [];
    }
    throw error;
  }
}

interface Range {
  created_after: string;
  created_before: string;
  limit: number;
}

/** Between the creation of an ID and its stored creation time, there may have been a request to a payment provider. */
const AROUND_MS = 60_000;
const MOST_PAGES = 10;

/**
 * The lists cannot be searched by ID, but are sorted by time, like IDs, so it is among those created around its time.
 */
async function findById<Thing extends { id: string }>(
  id: string,
  list: (range: Range) => AsyncIterable<Thing>,
): Promise<readonly Thing[]> {
  const time = timeOfId(id);
  if (time === undefined) {
    return [];
  }
  const limit = 100;
  const range = {
    created_after: new Date(time - AROUND_MS).toISOString(),
    created_before: new Date(time + AROUND_MS).toISOString(),
    limit,
  };
  let seen = 0;
  for await (const thing of list(range)) {
    seen += 1;
    if (thing.id === id) {
      return [thing];
    }
    if (seen === limit * MOST_PAGES) {
      break;
    }
  }
  return [];
}
