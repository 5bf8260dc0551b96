import { actorOf, recordAudit } from '../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../http/index.ts';
import { lockUserById } from '../users/index.ts';
import { createOrganization } from './create-organization.ts';
import { mayJoinOrganization, tooManyOrganizations } from './organization-limit.ts';
import { findOwnOrganization } from './organization-queries.ts';
import { auditedContent, presentOrganization } from './present-organization.ts';
import type { Organization, OrganizationInput } from './schemas.ts';

/**
 * Creates another organization for the caller, who becomes its admin. Throws `already_exists` if the slug is taken, and
 * `conflict` if the caller is already a member of 100.
 */
export async function addOrganization(context: AuthorizedContext, input: OrganizationInput): Promise<Organization> {
  const { userId } = context.principal;
  return context.database.transaction(async (tx) => {
    // Locked, so that a change of the user's name also reaches the copy in the membership.
    const user = await lockUserById(tx, { userId });
    if (user === undefined) {
      throw httpError('invalid_token', 'The user of this token no longer exists.');
    }
    if (!(await mayJoinOrganization(tx, userId))) {
      throw tooManyOrganizations();
    }
    const { organization_id: id } = await createOrganization(tx, input.name.trim(), user, input.slug);
    const row = await findOwnOrganization(tx, { organizationId: id, userId });
    if (row === undefined) {
      throw notFound('organization');
    }
    await recordAudit(
      tx,
      { ...actorOf(context), organizationId: id },
      { action: 'organization.created', targetType: 'organization', targetId: id, after: auditedContent(row) },
    );
    return presentOrganization(row, row.role);
  });
}
