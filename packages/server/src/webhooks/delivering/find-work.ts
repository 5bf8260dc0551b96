import { createDueLook, type Executor } from '../../database/index.ts';
import { type Job, LOOK_EVERY_MS, Nudge } from '../../jobs/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import { type DeliveryWork, deliveryWork } from './work-queries.ts';

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
 * Wakes the jobs of this room that have work: written by another process, or due now. They do not poll themselves. The
 * look that all jobs share finds the work. This job looks itself only rarely, in case a ring was lost.
 */
export function findWorkJob(database: Executor, { announced, due, expired, held, replayed }: WorkNudges): Job {
  const look = createDueLook('look_for_delivery_work', [deliveryWork]);
  const ringIn = (nudge: Nudge, waitMs: number | null) => {
    if (waitMs === null || waitMs >= LOOK_EVERY_MS) {
      return;
    }
    if (waitMs <= 0) {
      nudge.ring();
    } else {
      setTimeout(() => nudge.ring(), Math.ceil(waitMs)).unref();
    }
  };
  const wake = (work: DeliveryWork) => {
    ringIn(due.fast, work.fast_in_ms);
    ringIn(due.slow, work.slow_in_ms);
    ringIn(expired, work.lease_ends_in_ms);
    ringIf(announced, work.has_unsent);
    ringIf(held, work.has_to_hold);
    ringIf(replayed, work.has_replay);
  };
  return {
    name: 'webhooks.find-work',
    everyMs: WOKEN_MS,
    maxPauseMs: 1_000,
    due: { check: deliveryWork, isDue: () => false, receive: (value) => wake(value as DeliveryWork) },
    run: async () => {
      wake((await look(database)).get(deliveryWork) as DeliveryWork);
      return false;
    },
  };
}

function ringIf(nudge: Nudge, isNeeded: boolean): void {
  if (isNeeded) {
    nudge.ring();
  }
}

/** For jobs that are woken: how long they sleep if nothing does. */
export const WOKEN_MS = 10_000;
