import type { Queries } from '../../database/index.ts';
import { isProjectId } from './project-rules.ts';
import { upsertProjectDays } from './queries.ts';

/** A session that ended, as it is counted for its project. Times on the organization's clock. */
export interface EndedUse {
  /** The project in its metadata, if any. */
  projectId: string | null;
  startedAtMs: number;
  endedAtMs: number;
}

/**
 * Counts sessions for their projects, in the transaction that ends them. Costs no query if none has a project. Call it
 * last: many batches add to the same day of a busy project, and each waits until the previous one has committed.
 */
export async function countProjectUsage(
  tx: Queries,
  organizationId: string,
  ended: readonly EndedUse[],
): Promise<void> {
  const days = sumByDay(ended);
  if (days.length > 0) {
    await upsertProjectDays(tx, { organizationId, days });
  }
}

/** Sums sessions by project and by the day (UTC) on which they ended. */
export function sumByDay(ended: readonly EndedUse[]): ProjectDay[] {
  const days = new Map<string, ProjectDay>();
  for (const { projectId, startedAtMs, endedAtMs } of ended) {
    // Sessions from before there were projects may contain any value.
    if (projectId !== null && isProjectId(projectId)) {
      const dayMs = Math.floor(endedAtMs / DAY_MS) * DAY_MS;
      const day = days.get(`${projectId} ${dayMs}`) ?? {
        project_id: projectId,
        day_ms: dayMs,
        sessions: 0,
        seat_seconds: 0,
      };
      day.sessions += 1;
      // Rounded: a session begins and ends by different clock readings, so a timeout of 180 s may be 179.999.
      day.seat_seconds += Math.max(0, Math.round((endedAtMs - startedAtMs) / 1000));
      days.set(`${projectId} ${dayMs}`, day);
    }
  }
  return [...days.values()];
}

/** The usage of a project in one day. */
export interface ProjectDay {
  project_id: string;
  /** The start of the day. */
  day_ms: number;
  sessions: number;
  seat_seconds: number;
}

const DAY_MS = 86_400_000;
