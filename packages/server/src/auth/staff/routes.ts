import { Type } from 'typebox';
import { INSTALLATION, staffActorOf } from '../../audit/index.ts';
import { ACCESS, type AuthorizedContext, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { addStaffMember, type StaffTools } from './add-staff-member.ts';
import { changeStaffRole, removeStaffMember } from './change-staff.ts';
import { presentStaffMember } from './present-staff-member.ts';
import { StaffChange, StaffInput, StaffMember } from './schemas.ts';
import { STAFF_LIST } from './staff-list.ts';

/** The endpoints at /v1/operator/staff. */
export function staffRoutes(tools: StaffTools): Route[] {
  return [LIST, addRoute(tools), CHANGE, REMOVE];
}

const SHARED = { tag: 'Operator' } as const;
const MemberPath = Type.Object({ user_id: Type.String() });
const { already_exists, conflict, not_found } = HTTP_ERRORS;

const EXAMPLE = {
  user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1m',
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'support',
  two_factor_enabled: true,
  created_at: '2026-11-02T09:30:00.000Z',
  created_by: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
} as const;

/** Staff belong to the installation and not to an organization, and so do their audit log entries. */
const actorIn = (context: AuthorizedContext) => staffActorOf(context, INSTALLATION);

const LIST = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/operator/staff',
  operationId: 'listStaff',
  summary: 'List staff',
  access: ACCESS.staffRead,
  list: STAFF_LIST,
  status: 200,
  response: StaffMember,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: ({ database }, { page }) => STAFF_LIST.getPage(database, page, {}, presentStaffMember),
});

function addRoute(tools: StaffTools): Route {
  return defineRoute({
    ...SHARED,
    method: 'POST',
    path: '/v1/operator/staff',
    operationId: 'addStaffMember',
    summary: 'Add a staff member',
    description:
      'A person who has an account gets the role immediately. Anyone else gets a one-time link by email, valid for 30 minutes, to set a password and two-factor authentication. Send the same request again to email a new link.',
    access: ACCESS.staffOwn,
    body: StaffInput,
    status: 201,
    response: StaffMember,
    errors: { already_exists, conflict },
    example: { body: { email: EXAMPLE.email, role: EXAMPLE.role }, data: EXAMPLE },
    handle: async (context, { body }) => ({
      data: (await addStaffMember(context.database, tools, actorIn(context), body)).member,
    }),
  });
}

const CHANGE = defineRoute({
  ...SHARED,
  method: 'PATCH',
  path: '/v1/operator/staff/{user_id}',
  operationId: 'changeStaffRole',
  summary: "Change a staff member's role",
  description: "Takes effect with their next request. The last owner's role cannot be changed.",
  access: ACCESS.staffOwn,
  params: MemberPath,
  body: StaffChange,
  status: 200,
  response: StaffMember,
  errors: { not_found, conflict },
  example: { body: { role: 'finance' }, data: { ...EXAMPLE, role: 'finance' } },
  handle: async (context, { params, body }) => ({
    data: await changeStaffRole(context.database, actorIn(context), params.user_id, body.role),
  }),
});

const REMOVE = defineRoute({
  ...SHARED,
  method: 'DELETE',
  path: '/v1/operator/staff/{user_id}',
  operationId: 'removeStaffMember',
  summary: 'Remove a staff member',
  description:
    'Takes effect with their next request. The person keeps their account and organizations. The last owner cannot be removed.',
  access: ACCESS.staffOwn,
  params: MemberPath,
  status: 204,
  errors: { not_found, conflict },
  handle: async (context, { params }) => {
    await removeStaffMember(context.database, actorIn(context), params.user_id);
    return { data: undefined };
  },
});
