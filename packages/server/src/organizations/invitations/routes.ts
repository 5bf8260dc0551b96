import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { INVITATION_EXAMPLE, Invitation } from '../events.ts';
import { ORGANIZATION_EXAMPLE } from '../organization-example.ts';
import { Organization } from '../schemas.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { createInvitation, type InvitationTools } from './create-invitation.ts';
import { INVITATION_LIST } from './invitation-list.ts';
import { listInvitations } from './list-invitations.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { InvitationAcceptance, InvitationInput } from './schemas.ts';

/** The endpoints at /v1/orgs/{organization_id}/invitations and /v1/invitations. */
export function invitationRoutes(tools: InvitationTools): Route[] {
  return [...managedRoutes(tools), acceptanceRoute(tools)];
}

function managedRoutes(tools: InvitationTools): Route[] {
  return [
    defineRoute({
      ...MANAGED,
      method: 'POST',
      path: '/v1/orgs/{organization_id}/invitations',
      operationId: 'createInvitation',
      summary: 'Invite a member',
      description:
        'Emails a code that is valid for 7 days. An organization can have at most 100 pending invitations. A user can send at most 100 a day, and an address can receive at most 20 a day, across all organizations, including revoked ones.',
      params: OrganizationPath,
      body: InvitationInput,
      status: 201,
      response: Invitation,
      errors: { already_exists, conflict },
      example: {
        body: { email: INVITATION_EXAMPLE.email, role: INVITATION_EXAMPLE.role },
        data: INVITATION_EXAMPLE,
      },
      handle: async (context, { body }) => ({ data: await createInvitation(context, tools, body) }),
    }),
    defineRoute({
      ...MANAGED,
      access: ACCESS.readAdministration,
      method: 'GET',
      path: '/v1/orgs/{organization_id}/invitations',
      operationId: 'listInvitations',
      summary: 'List invitations',
      description: 'Lists invitations with any status. Tokens are never returned.',
      params: OrganizationPath,
      list: INVITATION_LIST,
      status: 200,
      response: Invitation,
      errors: {},
      example: { data: [INVITATION_EXAMPLE] },
      handle: (context, { page }) => listInvitations(context, page),
    }),
    defineRoute({
      ...MANAGED,
      method: 'DELETE',
      path: '/v1/orgs/{organization_id}/invitations/{invitation_id}',
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description:
        'Only pending invitations can be revoked. If the invitation was accepted, remove the member instead.',
      params: InvitationPath,
      status: 204,
      errors: { not_found, conflict },
      handle: async (context, { params }) => {
        await revokeInvitation(context, params.invitation_id);
        return { data: undefined };
      },
    }),
  ];
}

function acceptanceRoute(tools: InvitationTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/invitations/accept',
    operationId: 'acceptInvitation',
    tag: 'Invitations',
    summary: 'Accept an invitation',
    description: 'Makes you a member. Your email address must be the one that was invited; accepting verifies it.',
    access: ACCESS.ownSession,
    body: InvitationAcceptance,
    status: 200,
    response: Organization,
    errors: { invalid_token, token_expired, forbidden, conflict },
    example: {
      body: { token: `svc_inv_${'7Kq2mN'.repeat(7)}` },
      data: { ...ORGANIZATION_EXAMPLE, role: 'member', member_count: 2, billing_details: null },
    },
    handle: async (context, { body }) => ({ data: await acceptInvitation(context, tools, body.token) }),
  });
}

const { already_exists, conflict, forbidden, invalid_token, not_found, token_expired } = HTTP_ERRORS;
const MANAGED = {
  tag: 'Invitations',
  access: ACCESS.manageMembers,
  organizationParam: 'organization_id',
} as const;
const OrganizationPath = Type.Object({ organization_id: Type.String() });
const InvitationPath = Type.Object({ organization_id: Type.String(), invitation_id: Type.String() });
