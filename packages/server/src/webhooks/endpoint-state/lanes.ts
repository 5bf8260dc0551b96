import { Nudge } from '../../jobs/index.ts';

/** Endpoints that answer quickly are delivered to on the fast lane; those that are new, slow or failing on the slow one. */
export type LaneName = 'fast' | 'slow';

export const LANES = ['fast', 'slow'] as const satisfies readonly LaneName[];

/** Rung when attempts may be due, one for each lane. */
export type DueNudges = Readonly<Record<LaneName, Nudge>>;

export function createDueNudges(): DueNudges {
  return { fast: new Nudge(), slow: new Nudge() };
}

/** Wakes both lanes: whether the endpoint is on the fast one is known in the database only. */
export function ringBothLanes(due: DueNudges): void {
  due.fast.ring();
  due.slow.ring();
}
