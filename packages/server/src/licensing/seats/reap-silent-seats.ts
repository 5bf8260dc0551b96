import type { LicensingState } from '../state.ts';
import { endSessions } from './end-sessions.ts';
import {
  type DueSlotRow,
  LIST_DUE_SLOTS,
  LIST_DUE_SLOTS_AHEAD,
  LIST_DUE_SLOTS_OF_ORGANIZATION,
  UPDATE_SLOTS_RELOOKED,
} from './reaper-queries.ts';

/**
 * Frees seats whose sessions fell silent and announces each. Every reader has treated them as gone since their timeout;
 * this only tidies up. One bounded portion; answers true when there is more to do.
 */
export async function reapSilentSeats(state: LicensingState): Promise<boolean> {
  const due = [
    ...(await state.database.query(LIST_DUE_SLOTS, [PORTION])),
    ...(await state.database.query(LIST_DUE_SLOTS_AHEAD, [PORTION])),
  ];
  await lookAt(state, due);
  return due.length >= PORTION;
}

/** The same for one organization; answers how many seats were looked at and ended, or are looked at again later. */
export async function reapSilentSeatsOfOrganization(state: LicensingState, organizationId: string): Promise<number> {
  return lookAt(state, await state.database.query(LIST_DUE_SLOTS_OF_ORGANIZATION, [PORTION, organizationId]));
}

async function lookAt(state: LicensingState, due: readonly DueSlotRow[]): Promise<number> {
  const alive = due.filter((row) => !row.is_over);
  let done = 0;
  if (alive.length > 0) {
    const relooked = await state.database.query(UPDATE_SLOTS_RELOOKED, [
      alive.map((row) => row.organization_id),
      alive.map((row) => row.session_id),
    ]);
    done += relooked.length;
  }
  const failures: unknown[] = [];
  const over = Map.groupBy(
    due.filter((row) => row.is_over),
    (row) => row.organization_id,
  );
  for (const [organizationId, rows] of over) {
    const offset = rows[0]?.clock_offset_ms ?? 0;
    const ids = rows.map((row) => row.session_id);
    // One organization that cannot be tidied up must not keep the others from it.
    await state.database
      .transaction((tx) => endSessions(state.outbox, tx, organizationId, offset, ids, 'timed_out'))
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
