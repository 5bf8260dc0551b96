import type { Clock } from '../clock/index.ts';
import type { Metrics, Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { measureBackups } from './backup/measure-backups.ts';
import { type BackupTools, scheduledBackupJob } from './backup/scheduled-backups.ts';
import { countHoursJob } from './overview/count-hours.ts';
import { overviewRoute } from './overview/routes.ts';
import { SoldNow } from './overview/sold-now.ts';

/** The operator room in one environment: what the vendor's staff see across all other rooms. */
export interface Operator {
  routes: Route[];
  jobs: Job[];
}

/** The dependencies of the room. */
export interface OperatorTools extends BackupTools {
  metrics: Metrics;
  clock: Clock;
  isSandbox: boolean;
  /** The jobs of this process that are late. */
  listLateJobs(): readonly string[];
}

/** Creates the room. Backups are of both environments, and belong to production. */
export function createOperator(tools: OperatorTools): Operator {
  const { database, listLateJobs, isSandbox, metrics, clock } = tools;
  const backups = isSandbox ? undefined : scheduledBackupJob(tools);
  if (!isSandbox) {
    measureBackups(database, metrics, clock);
  }
  return {
    routes: [overviewRoute(new SoldNow())],
    jobs: [countHoursJob(database, listLateJobs), ...(backups === undefined ? [] : [backups])],
  };
}
