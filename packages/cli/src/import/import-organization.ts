import { NotFoundError } from '@seathold/client';
import { differencesOf } from './differences.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { ImportTools, Outcome } from './import-tools.ts';
import type { OrganizationRow } from './row-schemas.ts';

/** Creates the organization of a row, or changes differing fields. It is identified by its external_id. */
export async function importOrganization(tools: ImportTools, row: OrganizationRow): Promise<Outcome> {
  const present = await tools.organizations.find(row.external_id);
  if (present === undefined) {
    if (tools.isDryRun) {
      tools.organizations.plan(row.external_id);
    } else {
      tools.organizations.remember(row.external_id, await createOrganization(tools, row));
    }
    return 'created';
  }
  const full = await tools.pace.send(() => tools.client.operator.getOperatedOrganization(present.id));
  const own = differencesOf(ownContentOf(row, full.billing_details), full);
  const vendors = differencesOf(vendorsContentOf(row), full);
  const isChanged = Object.keys(own).length + Object.keys(vendors).length > 0;
  if (isChanged && !tools.isDryRun) {
    await changeOrganization(tools, present.id, own, vendors);
  }
  return isChanged ? 'updated' : 'unchanged';
}

type OwnContent = ReturnType<typeof ownContentOf>;
type VendorsContent = ReturnType<typeof vendorsContentOf>;
type BillingDetails = NonNullable<OrganizationRow['billing_details']>;

/** The fields that customers can also see and change. Billing details that the row does not name stay unchanged. */
function ownContentOf({ name, billing_details: details }: OrganizationRow, before: object | null) {
  return { name, ...(details === undefined ? {} : { billing_details: { ...before, ...details } as BillingDetails }) };
}

/** The fields that only the vendor sees. */
function vendorsContentOf({ notes, metadata }: OrganizationRow) {
  return { ...(notes === undefined ? {} : { notes }), ...(metadata === undefined ? {} : { metadata }) };
}

async function createOrganization(tools: ImportTools, row: OrganizationRow): Promise<string> {
  const { kind: _, ...body } = row;
  let id: string | undefined;
  // A repeated request returns the organization that it created, even if that has been deleted since.
  for (let attempt = 0; id === undefined; attempt += 1) {
    const idempotencyKey = idempotencyKeyOf('organization', { attempt, ...body });
    const { data, isReplayed } = await tools.pace.send(() =>
      tools.client.operator.createOperatedOrganization(body, { idempotencyKey }).withResponse(),
    );
    id = isReplayed && !(await isThere(tools, data.id)) ? undefined : data.id;
  }
  return id;
}

async function isThere({ client, pace }: ImportTools, id: string): Promise<boolean> {
  try {
    await pace.send(() => client.operator.getOperatedOrganization(id));
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) {
      return false;
    }
    throw error;
  }
}

async function changeOrganization(
  { client, pace }: ImportTools,
  organizationId: string,
  own: Partial<OwnContent>,
  vendors: Partial<VendorsContent>,
): Promise<void> {
  if (Object.keys(own).length > 0) {
    await pace.send(() => client.organizations.update(organizationId, own, { organizationId }));
  }
  if (Object.keys(vendors).length > 0) {
    await pace.send(() => client.operator.changeOperatedOrganization(organizationId, vendors));
  }
}
