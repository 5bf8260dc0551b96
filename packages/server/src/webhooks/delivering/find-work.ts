import type { Queries } from '../../database/index.ts';
import { type Job, Nudge } from '../../jobs/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import { findDeliveryWork } from './work-queries.ts';

/** What wakes the jobs of this room. */
interface WorkNudges {
  announced: Nudge;
  due: DueNudges;
  expired: Nudge;
  held: Nudge;
  replayed: Nudge;
}

/** Those that only a look into the database rings. */
export function createWorkNudges(): Pick<WorkNudges, 'expired' | 'held' | 'replayed'> {
  return { expired: new Nudge(), held: new Nudge(), replayed: new Nudge() };
}

/**
 * Looks for what all jobs of this room wait for, with one statement, and wakes those that have something to do: what another
 * process wrote, and what becomes due. The jobs poll for nothing themselves.
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

/** Within the process a nudge comes first. This is how soon another process's events and retries are seen. */
const LOOK_MS = 500;

/** For jobs that are woken: how long they sleep if nothing does. */
export const WOKEN_MS = 10_000;
