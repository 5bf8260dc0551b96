import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, notFound, type Route } from '../../http/index.ts';
import { ORGANIZATION_EXAMPLE } from '../organization-example.ts';
import { changeOperatedOrganization, type OperatedTools } from './change-operated-organization.ts';
import { presentOperated } from './present-operated.ts';
import { findOperatedOrganization } from './queries.ts';
import { OperatedChange, OperatedOrganization } from './schemas.ts';

/** The endpoints at /v1/operator/organizations/{id}. */
export function operatedOrganizationRoutes(tools: OperatedTools): Route[] {
  return [GET_ONE, changeRoute(tools)];
}

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
};

const GET_ONE = defineRoute({
  ...SHARED,
  method: 'GET',
  operationId: 'getOperatedOrganization',
  summary: 'Get an organization',
  access: ACCESS.staffRead,
  errors: { not_found: HTTP_ERRORS.not_found },
  example: { data: EXAMPLE },
  handle: async ({ database }, { params }) => {
    const row = await findOperatedOrganization(database, { organizationId: params.id });
    if (row === undefined) {
      throw notFound('organization');
    }
    return { data: presentOperated(row) };
  },
});

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
    errors: { not_found: HTTP_ERRORS.not_found },
    example: { body: { status: 'suspended', reason: EXAMPLE.suspension_reason }, data: EXAMPLE },
    handle: async (context, { params, body }) => ({
      data: await changeOperatedOrganization(context, tools, params.id, body),
    }),
  });
}
