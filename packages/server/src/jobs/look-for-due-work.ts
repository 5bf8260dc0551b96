import { createDueLook, type Executor } from '../database/index.ts';
import { type Job, Nudge } from './job.ts';

/**
 * Lets jobs with a check sleep until there is work. One job checks for all of them with one statement, because an idle
 * service would otherwise spend its time on statements that find nothing.
 */
export function sleepUntilDue(database: Executor, jobs: readonly Job[]): Job[] {
  const given = jobs.map((job) => (job.due === undefined ? { job } : { ...fallAsleep(job), due: job.due }));
  const sleeping = given.filter((each) => 'due' in each);
  if (sleeping.length === 0) {
    return [...jobs];
  }
  const checks = [...new Set(sleeping.map(({ due }) => due.check))];
  const look = createDueLook('look_for_due_work', checks);
  const lookForDueWork: Job = {
    name: 'jobs.look-for-due-work',
    everyMs: LOOK_EVERY_MS,
    maxPauseMs: MAX_PAUSE_MS,
    run: async () => {
      const values = await look(database).catch((error: unknown) => {
        // One failing check fails the whole statement. A job that wakes others then runs its own check.
        for (const { nudge } of sleeping.filter(({ due }) => due.receive !== undefined)) {
          nudge.ring();
        }
        throw error;
      });
      for (const { nudge, due } of sleeping) {
        const value = values.get(due.check);
        due.receive?.(value);
        if ((due.isDue ?? isTrue)(value)) {
          nudge.ring();
        }
      }
      return false;
    },
  };
  return [lookForDueWork, ...given.map(({ job }) => job)];
}

/** It keeps its own nudge, which others also ring. */
function fallAsleep(job: Job): { job: Job; nudge: Nudge } {
  const nudge = job.nudge ?? new Nudge();
  return { job: { ...job, nudge, maxPauseMs: job.maxPauseMs ?? MAX_PAUSE_MS }, nudge };
}

function isTrue(value: unknown): boolean {
  return value === true;
}

/** How soon due work is noticed. It keeps `license.seat.timeout` well within two seconds of the timeout. */
export const LOOK_EVERY_MS = 500;
/** A job that is not woken still runs at this interval, which shows that it works. */
export const ASLEEP_MS = 20_000;
/** After a failure: seats are released and mails sent soon after the database is back. */
const MAX_PAUSE_MS = 1_000;
