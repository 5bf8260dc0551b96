import { Nudge } from '../../jobs/index.ts';

/** Endpoints that respond quickly use the fast lane; new, slow or failing ones use the slow lane. */
export type LaneName = 'fast' | 'slow';

export const LANES = ['fast', 'slow'] as const satisfies readonly LaneName[];

/** Rung when attempts may be due, one for each lane. */
export type DueNudges = Readonly<Record<LaneName, Nudge>>;

export function createDueNudges(): DueNudges {
  return { fast: new Nudge(), slow: new Nudge() };
}

/** Wakes both lanes, because only the database knows which one the endpoint is on. */
export function ringBothLanes(due: DueNudges): void {
  due.fast.ring();
  due.slow.ring();
}
