import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, ROLES, type Route } from '../../http/index.ts';
import { INVITATION_EXAMPLE, Invitation } from '../events.ts';
import { ORGANIZATION_EXAMPLE } from '../organization-example.ts';
import { Organization } from '../schemas.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { createInvitation, type InvitationTools } from './create-invitation.ts';
import { readInvitations } from './read-invitations.ts';
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
      summary: 'Invite somebody',
      description:
        'Mails a code to the address, good for 7 days. At most 100 invitations of an organization may be open; a user sends at most 100 a day and an address gets at most 20 a day, over all organizations and whether they were revoked or not.',
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
      method: 'GET',
      path: '/v1/orgs/{organization_id}/invitations',
      operationId: 'listInvitations',
      summary: 'List invitations',
      description: 'However they stand, and never their tokens.',
      params: OrganizationPath,
      list: INVITATION_LIST,
      status: 200,
      response: Invitation,
      errors: {},
      example: { data: [INVITATION_EXAMPLE] },
      handle: (context, { page }) => readInvitations(context, page),
    }),
    defineRoute({
      ...MANAGED,
      method: 'DELETE',
      path: '/v1/orgs/{organization_id}/invitations/{invitation_id}',
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'Only one that is pending; of one that was accepted, remove the member.',
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
    description:
      'Makes the caller a member. Only a user with the address that was invited can; it counts as verified then.',
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
  access: ACCESS.manageOrganization,
  organizationParam: 'organization_id',
} as const;
const OrganizationPath = Type.Object({ organization_id: Type.String() });
const InvitationPath = Type.Object({ organization_id: Type.String(), invitation_id: Type.String() });

const INVITATION_LIST: ListDefinition = {
  defaultSort: '-created_at',
  // The name of an invitation is the address that it was sent to.
  sorts: { created_at: 'time', name: 'text', email: 'text' },
  filters: {
    status: { kind: 'enum', values: ['pending', 'accepted', 'expired', 'revoked'] },
    role: { kind: 'enum', values: ROLES },
    created_after: { kind: 'time' },
    created_before: { kind: 'time' },
  },
};
