export { type Job, Nudge } from './job.ts';
export { JobWatch } from './job-watch.ts';
export { ASLEEP_MS, LOOK_EVERY_MS, sleepUntilDue } from './look-for-due-work.ts';
export { endOfRetention, RetentionWalk, type RetentionWalking } from './retention-walk.ts';
export { type RunningJobs, runJobs } from './run-jobs.ts';
export type { TimeTraveler } from './time-traveler.ts';
