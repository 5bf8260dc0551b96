import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, ROLES, type Route } from '../../http/index.ts';
import { MEMBER_EXAMPLE, Member } from '../events.ts';
import { changeRole } from './change-role.ts';
import type { MemberTools } from './end-membership.ts';
import { listMembers } from './list-members.ts';
import { MEMBER_LIST } from './member-list.ts';
import { removeMember } from './remove-member.ts';

/** The endpoints at /v1/orgs/{organization_id}/members. */
export function memberRoutes(tools: MemberTools): Route[] {
  return [
    defineRoute({
      ...SHARED,
      method: 'GET',
      path: '/v1/orgs/{organization_id}/members',
      operationId: 'listMembers',
      summary: 'List members',
      description: 'Lists the users of the organization with their roles.',
      access: ACCESS.readOrganization,
      params: OrganizationPath,
      list: MEMBER_LIST,
      status: 200,
      response: Member,
      errors: {},
      example: { data: [MEMBER_EXAMPLE] },
      handle: (context, { page }) => listMembers(context, tools, page),
    }),
    defineRoute({
      ...SHARED,
      method: 'PATCH',
      path: '/v1/orgs/{organization_id}/members/{user_id}',
      operationId: 'changeMemberRole',
      summary: "Change a member's role",
      description:
        "Takes effect immediately, also for the member's API tokens. If the member is no longer an admin, the pending invitations they sent are revoked. The last admin cannot be demoted.",
      access: ACCESS.manageMembers,
      params: MemberPath,
      body: RoleChange,
      status: 200,
      response: Member,
      errors: { not_found, conflict },
      example: { body: { role: 'billing' }, data: { ...MEMBER_EXAMPLE, role: 'billing' } },
      handle: async (context, { params, body }) => ({
        data: await changeRole(context, tools, params.user_id, body.role),
      }),
    }),
    defineRoute({
      ...SHARED,
      method: 'DELETE',
      path: '/v1/orgs/{organization_id}/members/{user_id}',
      operationId: 'removeMember',
      summary: 'Remove a member or leave',
      description:
        'The member immediately loses access to the organization, and the pending invitations they sent are revoked. The last admin cannot be removed and cannot leave.',
      access: ACCESS.removeMember,
      params: MemberPath,
      status: 204,
      errors: { not_found, conflict },
      handle: async (context, { params }) => {
        await removeMember(context, tools, params.user_id);
        return { data: undefined };
      },
    }),
  ];
}

const { not_found, conflict } = HTTP_ERRORS;
const SHARED = { tag: 'Members', organizationParam: 'organization_id' } as const;
const OrganizationPath = Type.Object({ organization_id: Type.String() });
const MemberPath = Type.Object({ organization_id: Type.String(), user_id: Type.String() });
const RoleChange = Type.Object({ role: Type.Enum([...ROLES]) }, { additionalProperties: false });
