import { type Static, Type } from 'typebox';
import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { findProjectStatuses } from '../../organizations/index.ts';
import { FIND_PROJECT_USAGE } from './queries.ts';

/** What a project uses, as the API shows it. */
export const ProjectUsage = Type.Object(
  {
    project_id: Type.String({ pattern: idPattern('project') }),
    period_start: Type.String({ format: 'date-time', description: 'The start of the present calendar month, UTC.' }),
    period_end: Type.String({ format: 'date-time', description: 'The start of the next one.' }),
    seats: Type.Object({ used: Type.Integer({ minimum: 0, description: 'Now.' }) }),
    sessions: Type.Integer({
      minimum: 0,
      description: 'Those that ended in the period and those that are active now.',
    }),
    seat_seconds: Type.Integer({
      minimum: 0,
      description: 'How long those lasted that ended in the period, in seconds, each rounded to the nearest.',
    }),
  },
  { title: 'ProjectUsage' },
);
export type ProjectUsage = Static<typeof ProjectUsage>;

/** What a project of the organization uses now and used in the present month, or not_found. */
export async function readProjectUsage(context: AuthorizedContext, projectId: string): Promise<ProjectUsage> {
  const { organizationId, clockOffsetMs } = context.principal;
  const statuses = await findProjectStatuses(context.database, organizationId, [projectId]);
  if (!statuses.has(projectId)) {
    throw notFound('project');
  }
  const values = [organizationId, clockOffsetMs, projectId];
  const [usage] = await context.database.query(FIND_PROJECT_USAGE, values);
  if (usage === undefined) {
    throw new Error('the service clock is missing');
  }
  return {
    project_id: projectId,
    period_start: isoTime(usage.period_start_ms),
    period_end: isoTime(usage.period_end_ms),
    seats: { used: usage.active },
    sessions: usage.ended + usage.active,
    seat_seconds: usage.seat_seconds,
  };
}
