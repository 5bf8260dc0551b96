import type { Queries } from '../database/index.ts';
import type { Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { countHoursJob } from './overview/count-hours.ts';
import { GET_OVERVIEW } from './overview/routes.ts';

/** The room operator in one environment: what the vendor's people see across all other rooms. */
export interface Operator {
  routes: Route[];
  jobs: Job[];
}

/** Creates the room. `listLateJobs` names the jobs of this process that are late. */
export function createOperator({
  database,
  listLateJobs,
}: {
  database: Queries;
  listLateJobs(): readonly string[];
}): Operator {
  return { routes: [GET_OVERVIEW], jobs: [countHoursJob(database, listLateJobs)] };
}
