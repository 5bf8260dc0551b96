import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, ROLES, type Route } from '../../http/index.ts';
import { MEMBER_EXAMPLE, Member } from '../events.ts';
import { changeRole } from './change-role.ts';
import type { MemberTools } from './member-tools.ts';
import { readMembers } from './read-members.ts';
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
      access: ACCESS.readOrganization,
      params: OrganizationPath,
      list: MEMBER_LIST,
      status: 200,
      response: Member,
      errors: {},
      example: { data: [MEMBER_EXAMPLE] },
      handle: (context, { page }) => readMembers(context, tools, page),
    }),
    defineRoute({
      ...SHARED,
      method: 'PATCH',
      path: '/v1/orgs/{organization_id}/members/{user_id}',
      operationId: 'changeMemberRole',
      summary: "Change a member's role",
      description:
        'The role counts from the next request on, API tokens of the member included. The open invitations of whoever is an admin no more are revoked. The last admin cannot be demoted.',
      access: ACCESS.manageOrganization,
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
      summary: 'Remove a member, or leave',
      description:
        'Their logins and tokens cannot reach the organization from the next request on, and their open invitations are revoked. The last admin cannot be removed and cannot leave.',
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

const MEMBER_LIST: ListDefinition = {
  defaultSort: '-created_at',
  sorts: { created_at: 'time', name: 'text' },
  filters: {
    role: { kind: 'enum', values: ROLES },
    created_after: { kind: 'time' },
    created_before: { kind: 'time' },
  },
};
