import type { Queries } from '../../database/index.ts';
import { type Job, Nudge } from '../../jobs/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import { findDeliveryWork } from './work-queries.ts';

/** The nudges of this room's jobs. */
interface WorkNudges {
  announced: Nudge;
  due: DueNudges;
  expired: Nudge;
  held: Nudge;
  replayed: Nudge;
}

/** Those rung only by a database check. */
export function createWorkNudges(): Pick<WorkNudges, 'expired' | 'held' | 'replayed'> {
  return { expired: new Nudge(), held: new Nudge(), replayed: new Nudge() };
}

/**
 * Checks for the work of all jobs of this room with one statement, and wakes those that have some: written by another
 * process, or due now. The jobs do not poll themselves.
 */
export function findWorkJob(database: Queries, nudges: WorkNudges): Job {
  const { announced, due, expired, held, replayed } = nudges;
  return {
    name: 'webhooks.find-work',
    everyMs: LOOK_MS,
    maxPauseMs: 1_000,
    run: async () => {
      const work = await findDeliveryWork(database);
      const ringAt = (nudge: Nudge, at: Date | null) => {
        const waitMs = at === null ? Number.POSITIVE_INFINITY : at.getTime() - work.now.getTime();
        if (waitMs <= 0) {
          nudge.ring();
        } else if (waitMs < LOOK_MS) {
          setTimeout(() => nudge.ring(), Math.ceil(waitMs)).unref();
        }
      };
      ringAt(due.fast, work.fast_at);
      ringAt(due.slow, work.slow_at);
      ringAt(expired, work.lease_ends_at);
      ringIf(announced, work.has_unsent);
      ringIf(held, work.has_to_hold);
      ringIf(replayed, work.has_replay);
      return false;
    },
  };
}

function ringIf(nudge: Nudge, isNeeded: boolean): void {
  if (isNeeded) {
    nudge.ring();
  }
}

/** Within the process, a nudge comes first. This is how soon events and retries of other processes are noticed. */
const LOOK_MS = 500;

/** For jobs that are woken: how long they sleep if nothing does. */
export const WOKEN_MS = 10_000;
