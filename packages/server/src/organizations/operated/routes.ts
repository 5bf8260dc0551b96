import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, notFound, type Route } from '../../http/index.ts';
import type { DeletionTools } from '../delete-organization.ts';
import type { InvitationTools } from '../invitations/create-invitation.ts';
import { ORGANIZATION_EXAMPLE } from '../organization-example.ts';
import { OrganizationDeletion } from '../schemas.ts';
import { changeOperatedOrganization, type OperatedTools } from './change-operated-organization.ts';
import { createOperatedOrganization } from './create-operated-organization.ts';
import { deleteOperatedOrganization } from './delete-operated-organization.ts';
import { listOperatedOrganizations } from './list-operated-organizations.ts';
import { OPERATED_LIST } from './operated-list.ts';
import type { OrganizationFacts } from './organization-facts.ts';
import { presentWithFacts } from './present-operated.ts';
import { findOperatedOrganization } from './queries.ts';
import {
  CreatedOrganization,
  ListedOrganization,
  OperatedChange,
  OperatedDeletion,
  OperatedInput,
  OperatedOrganization,
} from './schemas.ts';

/** The endpoints at /v1/operator/organizations. */
export function operatedOrganizationRoutes(tools: OperatedRoutesTools): Route[] {
  return [listRoute(tools.facts), createRoute(tools), getRoute(tools.facts), changeRoute(tools), deletionRoute(tools)];
}

/** The dependencies of the endpoints. */
export interface OperatedRoutesTools extends OperatedTools, InvitationTools, DeletionTools {}

const { conflict, not_found, validation_failed } = HTTP_ERRORS;

const SHARED = {
  tag: 'Operator',
  path: '/v1/operator/organizations/{id}',
  params: Type.Object({ id: Type.String() }),
  status: 200,
  response: OperatedOrganization,
} as const;

const { role: _role, ...CONTENT } = ORGANIZATION_EXAMPLE;
const EXAMPLE = {
  ...CONTENT,
  status: 'suspended',
  suspended_at: '2026-11-21T12:00:00.000Z',
  suspension_reason: 'Shares its license keys on a forum',
  notes: null,
  external_id: 'CRM-4711',
  metadata: { region: 'emea' },
  seats: { included: 25, used: 11 },
  plan_name: 'Pro',
  balance: 5_000,
  balance_currency: 'usd',
  last_active_at: '2026-11-21T11:58:02.000Z',
};

const NEW = {
  status: 'active',
  suspended_at: null,
  suspension_reason: null,
  member_count: 0,
  seats: { included: 0, used: 0 },
  plan_name: null,
  balance: 0,
  balance_currency: null,
  last_active_at: null,
} as const;

const INVITATION_EXAMPLE = {
  id: 'invite_01kagt2m8xf3q9wz5r7e6b4c1m',
  organization_id: EXAMPLE.id,
  email: 'ada@example.com',
  role: 'admin',
  status: 'pending',
  invited_by: null,
  created_at: '2026-11-02T09:30:00.000Z',
  expires_at: '2026-11-09T09:30:00.000Z',
  accepted_at: null,
} as const;

const LISTED_EXAMPLE = {
  id: CONTENT.id,
  name: CONTENT.name,
  status: 'active',
  external_id: EXAMPLE.external_id,
  created_at: CONTENT.created_at,
  member_count: CONTENT.member_count,
  seats: EXAMPLE.seats,
  plan_name: EXAMPLE.plan_name,
  balance: EXAMPLE.balance,
  balance_currency: EXAMPLE.balance_currency,
  last_active_at: EXAMPLE.last_active_at,
} as const;

function getRoute(facts: OrganizationFacts): Route {
  return defineRoute({
    ...SHARED,
    method: 'GET',
    operationId: 'getOperatedOrganization',
    summary: 'Get an organization',
    access: ACCESS.staffRead,
    errors: { not_found },
    example: { data: EXAMPLE },
    handle: async ({ database }, { params }) => {
      const row = await findOperatedOrganization(database, { organizationId: params.id });
      if (row === undefined) {
        throw notFound('organization');
      }
      return { data: await presentWithFacts(database, facts, row) };
    },
  });
}

function listRoute(facts: OrganizationFacts): Route {
  return defineRoute({
    tag: SHARED.tag,
    method: 'GET',
    path: '/v1/operator/organizations',
    operationId: 'listOperatedOrganizations',
    summary: 'List organizations',
    description:
      "Lists all organizations. `query` matches an ID, a member's email address, a license key, or an invoice number. Any other text matches the start of the name, ignoring case.",
    access: ACCESS.staffRead,
    list: OPERATED_LIST,
    status: 200,
    response: ListedOrganization,
    errors: {},
    example: { data: [LISTED_EXAMPLE] },
    handle: (context, { page }) => listOperatedOrganizations(context, facts, page),
  });
}

function createRoute(tools: OperatedTools & InvitationTools): Route {
  return defineRoute({
    tag: SHARED.tag,
    method: 'POST',
    path: '/v1/operator/organizations',
    operationId: 'createOperatedOrganization',
    summary: 'Create an organization',
    description:
      'Creates an organization for a customer and invites its first admin by email. Until they accept, it has no members. You can already issue licenses to it and use the other endpoints with `X-Organization-Id`.',
    access: ACCESS.staffSupport,
    body: OperatedInput,
    status: 201,
    response: CreatedOrganization,
    errors: { conflict },
    example: {
      body: { name: EXAMPLE.name, admin_email: 'ada@example.com', external_id: EXAMPLE.external_id },
      data: { ...EXAMPLE, ...NEW, invitation: INVITATION_EXAMPLE },
    },
    handle: async (context, { body }) => ({ data: await createOperatedOrganization(context, tools, body) }),
  });
}

function deletionRoute(tools: DeletionTools): Route {
  return defineRoute({
    ...SHARED,
    method: 'DELETE',
    operationId: 'deleteOperatedOrganization',
    summary: 'Delete an organization',
    description:
      'This cannot be undone. Its members, tokens, and programs lose access immediately. Its data is erased in the background, except invoices and payments. Confirm by sending its name.',
    access: ACCESS.staffOwn,
    body: OrganizationDeletion,
    status: 202,
    response: OperatedDeletion,
    errors: { not_found, conflict, validation_failed },
    example: { body: { confirm: EXAMPLE.name }, data: { id: EXAMPLE.id, deleted: true } },
    handle: async (context, { params, body }) => ({
      data: await deleteOperatedOrganization(context, tools, params.id, body),
    }),
  });
}

function changeRoute(tools: OperatedTools): Route {
  return defineRoute({
    ...SHARED,
    method: 'PATCH',
    operationId: 'changeOperatedOrganization',
    summary: 'Suspend, reinstate, or annotate an organization',
    description:
      'While an organization is suspended, its tokens get 403 `organization_suspended`, except to read the profile, subscriptions, invoices, and payment methods, to pay, and to log out. Its licenses keep their own status. Only the role `owner` can change the status.',
    access: ACCESS.staffSupport,
    body: OperatedChange,
    errors: { not_found },
    example: { body: { status: 'suspended', reason: EXAMPLE.suspension_reason }, data: EXAMPLE },
    handle: async (context, { params, body }) => ({
      data: await changeOperatedOrganization(context, tools, params.id, body),
    }),
  });
}
