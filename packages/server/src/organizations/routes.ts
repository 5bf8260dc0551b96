import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, ROLES, type Route } from '../http/index.ts';
import { addOrganization } from './add-organization.ts';
import { changeOrganization } from './change-organization.ts';
import { type DeletionDeps, deleteOrganization } from './delete-organization.ts';
import { ORGANIZATION_EXAMPLE } from './organization-example.ts';
import { readOrganization, readOrganizations } from './read-organizations.ts';
import { Organization, OrganizationChange, OrganizationDeletion, OrganizationInput } from './schemas.ts';

/** The endpoints at /v1/orgs. */
export function organizationRoutes(deps: DeletionDeps): Route[] {
  return [...collectionRoutes(), ...itemRoutes(), deletionRoute(deps)];
}

function collectionRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/orgs',
      operationId: 'listOrganizations',
      tag: 'Organizations',
      summary: 'List organizations',
      description: 'With a session token all that the user is a member of, with another token its own.',
      access: ACCESS.readOrganization,
      list: ORGANIZATION_LIST,
      status: 200,
      response: Organization,
      errors: {},
      example: { data: [ORGANIZATION_EXAMPLE] },
      handle: (context, { page }) => readOrganizations(context, page),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/orgs',
      operationId: 'createOrganization',
      tag: 'Organizations',
      summary: 'Create an organization',
      description: 'The caller becomes its admin. A slug that is not given is made from the name.',
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
      summary: 'Read an organization',
      access: ACCESS.readOrganization,
      status: 200,
      response: Organization,
      errors: { not_found },
      example: { data: ORGANIZATION_EXAMPLE },
      handle: async (context) => ({ data: await readOrganization(context) }),
    }),
    defineRoute({
      ...ITEM,
      method: 'PATCH',
      operationId: 'updateOrganization',
      summary: 'Change an organization',
      access: ACCESS.manageOrganization,
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

function deletionRoute(deps: DeletionDeps): Route {
  return defineRoute({
    ...ITEM,
    method: 'DELETE',
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'For good, and for all its members, from their next request on: its API tokens, apps and invitations end, and nobody can use its licenses. The body repeats its name.',
    access: ACCESS.manageOrganization,
    body: OrganizationDeletion,
    status: 204,
    errors: { not_found, conflict, validation_failed },
    example: { body: { confirm: ORGANIZATION_EXAMPLE.name } },
    handle: async (context, { body }) => {
      await deleteOrganization(deps, context, body);
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

const ORGANIZATION_LIST: ListDefinition = {
  isOfUser: true,
  defaultSort: '-created_at',
  sorts: { created_at: 'time', name: 'text' },
  filters: {
    role: { kind: 'enum', values: ROLES },
    created_after: { kind: 'time' },
    created_before: { kind: 'time' },
  },
};
