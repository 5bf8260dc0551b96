import type { Queries } from '../../database/index.ts';
import { isProjectId } from './project-rules.ts';
import { ADD_PROJECT_USAGE } from './queries.ts';

/** A session that ended, as far as its project is concerned. Times on the organization's clock. */
export interface EndedUse {
  /** What its metadata names, if anything. */
  projectId: string | null;
  startedAtMs: number;
  endedAtMs: number;
}

/**
 * Counts sessions for their projects, in the transaction that ends them; asks nothing when none has a project. Called last:
 * many batches add to one day of a busy project, and each waits until the one before has committed.
 */
export async function countProjectUsage(
  tx: Queries,
  organizationId: string,
  ended: readonly EndedUse[],
): Promise<void> {
  const days = sumByDay(ended);
  if (days.length > 0) {
    await tx.query(ADD_PROJECT_USAGE, [
      organizationId,
      days.map((day) => day.projectId),
      days.map((day) => day.dayMs),
      days.map((day) => day.sessions),
      days.map((day) => day.seatSeconds),
    ]);
  }
}

/** What sessions come to, for each project and each day (UTC) on which any ended. */
export function sumByDay(ended: readonly EndedUse[]): ProjectDay[] {
  const days = new Map<string, ProjectDay>();
  for (const { projectId, startedAtMs, endedAtMs } of ended) {
    // Sessions from before there were projects may name anything.
    if (projectId !== null && isProjectId(projectId)) {
      const dayMs = Math.floor(endedAtMs / DAY_MS) * DAY_MS;
      const day = days.get(`${projectId} ${dayMs}`) ?? { projectId, dayMs, sessions: 0, seatSeconds: 0 };
      day.sessions += 1;
      // The nearest: a session ends by another clock reading than it began, so a timeout of 180 s may be 179.999.
      day.seatSeconds += Math.max(0, Math.round((endedAtMs - startedAtMs) / 1000));
      days.set(`${projectId} ${dayMs}`, day);
    }
  }
  return [...days.values()];
}

/** What a project used in one day. */
export interface ProjectDay {
  projectId: string;
  /** The start of the day. */
  dayMs: number;
  sessions: number;
  seatSeconds: number;
}

const DAY_MS = 86_400_000;
