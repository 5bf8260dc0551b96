import type { Queries } from '../database/index.ts';
import type { Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { usageJobs } from './jobs.ts';
import { usageRoutes } from './routes.ts';

/** The usage room in one environment. */
export interface Usage {
  routes: Route[];
  jobs: Job[];
}

/** Creates the room: peaks of seats, and metered usage reported by the operator's programs. */
export function createUsage({ database }: { database: Queries }): Usage {
  return { routes: usageRoutes(), jobs: usageJobs(database) };
}

export { listNamesOfUsedMeters } from './records/list-names-of-used-meters.ts';
export { USAGE_TABLES } from './usage-tables.ts';
