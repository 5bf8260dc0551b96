import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { ProjectUsage, readProjectUsage } from './read-project-usage.ts';

/** What this room reports of projects, which are the organization's. */
export function projectUsageRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_id}/usage',
      operationId: 'getProjectUsage',
      tag: 'Projects',
      summary: 'Read what a project uses',
      description: 'Counted from the sessions that named the project as metadata.project_id when they were acquired.',
      access: ACCESS.readProjects,
      params: Type.Object({ project_id: Type.String() }),
      status: 200,
      response: ProjectUsage,
      errors: { not_found: HTTP_ERRORS.not_found },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({ data: await readProjectUsage(context, params.project_id) }),
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
