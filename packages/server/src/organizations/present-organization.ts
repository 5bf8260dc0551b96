import { includesRole, type Role } from '../http/index.ts';
import type { OrganizationContent, OrganizationRow } from './organization-queries.ts';
import { orderBillingDetails } from './organization-rules.ts';
import type { Organization } from './schemas.ts';

/** An organization as the API shows it to a member with this role. */
export function presentOrganization(row: OrganizationRow, role: Role): Organization {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    role,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    member_count: row.member_count,
    billing_details: includesRole(role, 'billing') ? orderBillingDetails(row.billing_details) : null,
  };
}

/** The part of an organization that the audit log records: its mutable fields. */
export function auditedContent({ name, slug, billing_details: details }: OrganizationContent) {
  return { name, slug, billing_details: orderBillingDetails(details) };
}
