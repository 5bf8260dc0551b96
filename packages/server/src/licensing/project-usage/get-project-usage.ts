import { type Static, Type } from 'typebox';
import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { findProjectStatuses } from '../../organizations/index.ts';
import { findProjectUsage } from './queries.ts';

/** The usage of a project, as the API shows it. */
export const ProjectUsage = Type.Object(
  {
    project_id: Type.String({ pattern: idPattern('project') }),
    period_start: Type.String({ format: 'date-time', description: 'The start of the current calendar month, in UTC.' }),
    period_end: Type.String({ format: 'date-time', description: 'The start of the next calendar month, in UTC.' }),
    seats: Type.Object({ used: Type.Integer({ minimum: 0, description: 'The current time.' }) }),
    sessions: Type.Integer({
      minimum: 0,
      description: 'Sessions that ended in the period, and those that are active now.',
    }),
    seat_seconds: Type.Integer({
      minimum: 0,
      description:
        'The total duration of the sessions that ended in the period, in seconds, with each rounded to the nearest second.',
    }),
  },
  { title: 'ProjectUsage' },
);
export type ProjectUsage = Static<typeof ProjectUsage>;

/** The current usage of a project, and its usage this month. Throws not_found. */
export async function getProjectUsage(context: AuthorizedContext, projectId: string): Promise<ProjectUsage> {
  const { organizationId, clockOffsetMs } = context.principal;
  const statuses = await findProjectStatuses(context.database, organizationId, [projectId]);
  if (!statuses.has(projectId)) {
    throw notFound('project');
  }
  const usage = await findProjectUsage(context.database, { organizationId, clockOffsetMs, projectId });
  return {
    project_id: projectId,
    period_start: isoTime(usage.period_start_ms),
    period_end: isoTime(usage.period_end_ms),
    seats: { used: usage.active },
    sessions: usage.ended + usage.active,
    seat_seconds: usage.seat_seconds,
  };
}
