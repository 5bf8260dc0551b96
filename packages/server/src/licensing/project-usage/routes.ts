import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { getProjectUsage, ProjectUsage } from './get-project-usage.ts';

/** The endpoint for the usage of a project. Projects themselves belong to organizations. */
export function projectUsageRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_id}/usage',
      operationId: 'getProjectUsage',
      tag: 'Projects',
      summary: 'Get the usage of a project',
      description: 'Counts the sessions that were acquired with `metadata.project_id` set to this project.',
      access: ACCESS.readProjects,
      params: Type.Object({ project_id: Type.String() }),
      status: 200,
      response: ProjectUsage,
      errors: { not_found: HTTP_ERRORS.not_found },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({ data: await getProjectUsage(context, params.project_id) }),
    }),
  ];
}

const EXAMPLE = {
  project_id: 'proj_01kagt2m8xf3q9wz5r7e6b4c1n',
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  seats: { used: 3 },
  sessions: 41,
  seat_seconds: 532_800,
};
