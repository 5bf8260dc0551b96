import type { LicensingTools } from '../licensing-tools.ts';
import { endSessions } from './end-sessions.ts';
import {
  type DueSlotRow,
  listDueSlots,
  listDueSlotsAhead,
  listDueSlotsOfOrganization,
  updateSlotsDueAgain,
} from './reaper-queries.ts';

type ReaperTools = Pick<LicensingTools, 'database' | 'outbox'>;

/**
 * Releases the seats of timed-out sessions, and announces each. Every reader has treated them as ended since their
 * timeout. Handles a limited number; returns whether there are more.
 */
export async function reapSeats(tools: ReaperTools): Promise<boolean> {
  const due = [
    ...(await listDueSlots(tools.database, { limit: PORTION })),
    ...(await listDueSlotsAhead(tools.database, { limit: PORTION })),
  ];
  await reap(tools, due);
  return due.length >= PORTION;
}

/** The same for one organization. Returns how many seats were released or rescheduled. */
export async function reapSeatsOfOrganization(tools: ReaperTools, organizationId: string): Promise<number> {
  return reap(tools, await listDueSlotsOfOrganization(tools.database, { limit: PORTION, organizationId }));
}

async function reap(tools: ReaperTools, due: readonly DueSlotRow[]): Promise<number> {
  const alive = due.filter((row) => !row.is_over);
  let done = alive.length === 0 ? 0 : await updateSlotsDueAgain(tools.database, { alive });
  const failures: unknown[] = [];
  const over = Map.groupBy(
    due.filter((row) => row.is_over),
    (row) => row.organization_id,
  );
  for (const [organizationId, rows] of over) {
    const clockOffsetMs = rows[0]?.clock_offset_ms ?? 0;
    const sessionIds = rows.map((row) => row.session_id);
    // A failure in one organization must not affect the seats of others.
    await tools.database
      .transaction((tx) => endSessions(tx, tools, { organizationId, clockOffsetMs, sessionIds, status: 'timed_out' }))
      .then(({ ended }) => {
        done += ended.length;
      })
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) {
    const [cause] = failures;
    throw new Error(`the silent seats of ${failures.length} organizations could not be freed`, { cause });
  }
  return done;
}

const PORTION = 500;
