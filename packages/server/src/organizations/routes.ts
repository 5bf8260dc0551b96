import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../http/index.ts';
import { addOrganization } from './add-organization.ts';
import { changeOrganization } from './change-organization.ts';
import { type DeletionTools, deleteOrganization } from './delete-organization.ts';
import { getOrganization } from './get-organization.ts';
import { listOrganizations } from './list-organizations.ts';
import { ORGANIZATION_EXAMPLE } from './organization-example.ts';
import { ORGANIZATION_LIST } from './organization-list.ts';
import { Organization, OrganizationChange, OrganizationDeletion, OrganizationInput } from './schemas.ts';

/** The endpoints at /v1/orgs. */
export function organizationRoutes(tools: DeletionTools): Route[] {
  return [...collectionRoutes(), ...itemRoutes(), deletionRoute(tools)];
}

function collectionRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/orgs',
      operationId: 'listOrganizations',
      tag: 'Organizations',
      summary: 'List organizations',
      description:
        'With a session token: all organizations that you are a member of. With any other token: the organization of the token.',
      access: ACCESS.listOwnOrganizations,
      list: ORGANIZATION_LIST,
      status: 200,
      response: Organization,
      errors: {},
      example: { data: [ORGANIZATION_EXAMPLE] },
      handle: (context, { page }) => listOrganizations(context, page),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/orgs',
      operationId: 'createOrganization',
      tag: 'Organizations',
      summary: 'Create an organization',
      description: 'You become its admin. If you omit the slug, it is derived from the name.',
      access: ACCESS.ownSession,
      body: OrganizationInput,
      status: 201,
      response: Organization,
      errors: { already_exists, conflict },
      example: {
        body: { name: ORGANIZATION_EXAMPLE.name, slug: ORGANIZATION_EXAMPLE.slug },
        data: { ...ORGANIZATION_EXAMPLE, billing_details: null },
      },
      handle: async (context, { body }) => ({ data: await addOrganization(context, body) }),
    }),
  ];
}

function itemRoutes(): Route[] {
  return [
    defineRoute({
      ...ITEM,
      method: 'GET',
      operationId: 'getOrganization',
      summary: 'Get an organization',
      description:
        'Returns the organization with your role in it. Billing details are included if your role allows you to read invoices.',
      access: ACCESS.readOrganization,
      status: 200,
      response: Organization,
      errors: { not_found },
      example: { data: ORGANIZATION_EXAMPLE },
      handle: async (context) => ({ data: await getOrganization(context) }),
    }),
    defineRoute({
      ...ITEM,
      method: 'PATCH',
      operationId: 'updateOrganization',
      summary: 'Update an organization',
      description: 'Fields that you omit stay unchanged. New billing details apply to future invoices.',
      access: ACCESS.changeOrganization,
      body: OrganizationChange,
      status: 200,
      response: Organization,
      errors: { not_found, already_exists },
      example: {
        body: { billing_details: { legal_name: 'Analytical Engines Ltd', tax_id: 'GB123456789' } },
        data: ORGANIZATION_EXAMPLE,
      },
      handle: async (context, { body }) => ({ data: await changeOrganization(context, body) }),
    }),
  ];
}

function deletionRoute(tools: DeletionTools): Route {
  return defineRoute({
    ...ITEM,
    method: 'DELETE',
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'This cannot be undone and takes effect immediately for all members. Its API tokens, apps, and invitations are revoked, and its licenses can no longer be used. Confirm by sending its name.',
    access: ACCESS.deleteOrganization,
    body: OrganizationDeletion,
    status: 204,
    errors: { not_found, conflict, validation_failed },
    example: { body: { confirm: ORGANIZATION_EXAMPLE.name } },
    handle: async (context, { body }) => {
      await deleteOrganization(context, tools, body);
      return { data: undefined };
    },
  });
}

const { already_exists, conflict, not_found, validation_failed } = HTTP_ERRORS;

const ITEM = {
  path: '/v1/orgs/{organization_id}',
  tag: 'Organizations',
  organizationParam: 'organization_id',
  params: Type.Object({ organization_id: Type.String() }),
} as const;
