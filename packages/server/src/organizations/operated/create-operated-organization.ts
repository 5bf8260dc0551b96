import { recordAudit, staffActorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, userOf } from '../../http/index.ts';
import { createOrganizationWithoutMembers } from '../create-organization.ts';
import { type InvitationTools, invite, parseInvited } from '../invitations/create-invitation.ts';
import { lockLiveOrganization } from '../memberships/lock-as-admin.ts';
import { type OrganizationRow, updateOrganization } from '../organization-queries.ts';
import { applyChange } from '../organization-rules.ts';
import { auditedContent } from '../present-organization.ts';
import { annotate, type OperatedTools, requireSmallMetadata } from './change-operated-organization.ts';
import { presentWithFacts } from './present-operated.ts';
import type { CreatedOrganization, OperatedInput } from './schemas.ts';

/**
 * Creates an organization for a customer and invites its first admin by mail. Until they accept, it has no members, and
 * staff work in it with `X-Organization-Id`. Throws `invalid_request`, and `conflict` if the address was invited too
 * often.
 */
export async function createOperatedOrganization(
  context: AuthorizedContext,
  tools: InvitationTools & OperatedTools,
  input: OperatedInput,
): Promise<CreatedOrganization> {
  const email = parseInvited(input.admin_email, 'admin_email');
  requireSmallMetadata(input.metadata);
  return context.database.transaction(async (tx) => {
    const organization = await writeOrganization(tx, input);
    const actor = staffActorOf(context, organization.id);
    await recordAudit(tx, actor, {
      action: 'organization.created',
      targetType: 'organization',
      targetId: organization.id,
      after: auditedContent(organization),
    });
    const annotated = await annotate(tx, tools, organization.id, input);
    const invitation = await invite(tx, tools, actor, {
      organization,
      inviter: undefined,
      email,
      role: 'admin',
      invitedBy: userOf(context.principal),
      isLimited: false,
    });
    return { ...(await presentWithFacts(tx, tools.facts, annotated)), invitation };
  });
}

async function writeOrganization(tx: Queries, input: OperatedInput): Promise<OrganizationRow> {
  const id = await createOrganizationWithoutMembers(tx, input.name.trim());
  const created = await lockLiveOrganization(tx, id);
  if (input.billing_details === undefined || input.billing_details === null) {
    return created;
  }
  const { billing_details } = input;
  const changed = await updateOrganization(tx, id, applyChange(created, { billing_details }));
  if (changed === undefined) {
    throw new Error('an organization lost its slug in the transaction that created it');
  }
  return changed;
}
