import type { Queries } from '../../database/index.ts';
import { orderBillingDetails } from '../organization-rules.ts';
import { addKnownFacts, type KnownFacts, type OrganizationFacts } from './organization-facts.ts';
import type { OperatedRow } from './queries.ts';
import type { OperatedOrganization } from './schemas.ts';

/** The fields of a row that are shown; other rooms add the rest. */
export function presentOperated(row: OperatedRow): Omit<OperatedOrganization, keyof KnownFacts> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    status: row.suspended_at === null ? 'active' : 'suspended',
    suspended_at: row.suspended_at?.toISOString() ?? null,
    suspension_reason: row.suspension_reason,
    member_count: row.member_count,
    billing_details: orderBillingDetails(row.billing_details),
    notes: row.notes,
    external_id: row.external_id,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The same, with the facts of other rooms. */
export async function presentWithFacts(
  database: Queries,
  facts: OrganizationFacts,
  row: OperatedRow,
): Promise<OperatedOrganization> {
  const [shown] = await addKnownFacts(database, facts, [presentOperated(row)]);
  if (shown === undefined) {
    throw new Error('an organization got lost between two lists of one');
  }
  return shown;
}
