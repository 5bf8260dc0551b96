import { actorOf, recordAudit } from '../audit/index.ts';
import { type AuthorizedContext, type Principal, requireActingRole } from '../http/index.ts';
import { slugTaken } from './errors.ts';
import { lockAsAdmin } from './memberships/lock-as-admin.ts';
import { updateOrganization } from './organization-queries.ts';
import { applyChange, isSameContent } from './organization-rules.ts';
import { auditedContent, presentOrganization } from './present-organization.ts';
import type { Organization, OrganizationChange } from './schemas.ts';

/**
 * Changes the organization of the request. Throws `already_exists` if the new slug is taken, and `forbidden` for a
 * field that an acting caller's staff role does not include.
 */
export async function changeOrganization(
  context: AuthorizedContext,
  change: OrganizationChange,
): Promise<Organization> {
  const { organizationId, role } = context.principal;
  requireActingRoles(context.principal, change);
  return context.database.transaction(async (tx) => {
    const { organization: before } = await lockAsAdmin(tx, context.principal);
    const wanted = applyChange(before, change);
    if (isSameContent(before, wanted)) {
      return presentOrganization(before, role);
    }
    const after = await updateOrganization(tx, organizationId, wanted);
    if (after === undefined) {
      throw slugTaken(wanted.slug);
    }
    await recordAudit(tx, actorOf(context), {
      action: 'organization.updated',
      targetType: 'organization',
      targetId: organizationId,
      before: auditedContent(before),
      after: auditedContent(after),
    });
    return presentOrganization(after, role);
  });
}

/** Billing details require finance, all else requires support. */
function requireActingRoles(principal: Principal, { billing_details: details, ...rest }: OrganizationChange): void {
  if (details !== undefined) {
    requireActingRole(principal, 'finance');
  }
  if (Object.keys(rest).length > 0) {
    requireActingRole(principal, 'support');
  }
}
