import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { changeProject } from './change-project.ts';
import { createProject } from './create-project.ts';
import { getProject } from './get-project.ts';
import { listProjects } from './list-projects.ts';
import { PROJECT_LIST } from './project-list.ts';
import { removeProject } from './remove-project.ts';
import { Project, ProjectChange, ProjectInput } from './schemas.ts';

/** The endpoints at /v1/projects. */
export function projectRoutes(): Route[] {
  return [...readRoutes(), ...writeRoutes()];
}

function readRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects',
      operationId: 'listProjects',
      tag: 'Projects',
      summary: 'List projects',
      description: 'Lists the projects of the organization, including archived ones.',
      access: ACCESS.readProjects,
      list: PROJECT_LIST,
      status: 200,
      response: Project,
      errors: {},
      example: { data: [EXAMPLE] },
      handle: (context, { page }) => listProjects(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_id}',
      operationId: 'getProject',
      tag: 'Projects',
      summary: 'Get a project',
      description: 'Returns an active or archived project.',
      access: ACCESS.readProjects,
      params: ProjectPath,
      status: 200,
      response: Project,
      errors: { not_found },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({ data: await getProject(context, params.project_id) }),
    }),
  ];
}

function writeRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/projects',
      operationId: 'createProject',
      tag: 'Projects',
      summary: 'Create a project',
      description: 'If you omit the slug, it is derived from the name.',
      access: ACCESS.writeProjects,
      body: ProjectInput,
      status: 201,
      response: Project,
      errors: { already_exists },
      example: { body: EXAMPLE_INPUT, data: EXAMPLE },
      handle: async (context, { body }) => ({ data: await createProject(context, body) }),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/projects/{project_id}',
      operationId: 'updateProject',
      tag: 'Projects',
      summary: 'Update a project',
      description:
        'Set `status` to archive a project or to reactivate it. No seat can be acquired for an archived project. Its existing sessions continue.',
      access: ACCESS.writeProjects,
      params: ProjectPath,
      body: ProjectChange,
      status: 200,
      response: Project,
      errors: { not_found, already_exists },
      example: {
        body: { status: 'archived' },
        data: { ...EXAMPLE, status: 'archived', updated_at: '2026-12-01T08:00:00.000Z' },
      },
      handle: async (context, { params, body }) => ({ data: await changeProject(context, params.project_id, body) }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/projects/{project_id}',
      operationId: 'deleteProject',
      tag: 'Projects',
      summary: 'Delete a project',
      description: 'Its sessions continue and keep their metadata. Its usage can no longer be retrieved.',
      access: ACCESS.writeProjects,
      params: ProjectPath,
      status: 204,
      errors: { not_found },
      handle: async (context, { params }) => ({ data: await removeProject(context, params.project_id) }),
    }),
  ];
}

const { not_found, already_exists } = HTTP_ERRORS;

const ProjectPath = Type.Object({ project_id: Type.String() });

const EXAMPLE_INPUT = { name: 'Feature film', slug: 'feature-film', description: 'Everything that renders the film.' };

const EXAMPLE = {
  id: 'proj_01kagt2m8xf3q9wz5r7e6b4c1n',
  ...EXAMPLE_INPUT,
  status: 'active',
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-02T09:30:00.000Z',
};
