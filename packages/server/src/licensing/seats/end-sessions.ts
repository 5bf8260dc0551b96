import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { LICENSE_SEAT_RELEASED, LICENSE_SEAT_TIMEOUT } from '../events.ts';
import { countProjectUsage, type EndedUse } from '../project-usage/count-project-usage.ts';
import { presentReleased, presentTimedOut, timedOutAtMs } from './present-session.ts';
import {
  type ClockRow,
  LIST_LICENSES_WITH_CLOCK,
  LIST_SLOTS_BY_SESSIONS,
  LOCK_LICENSES_BY_SESSIONS,
  LOCK_SLOTS_BY_SESSIONS,
  type SlotRow,
  UPDATE_SLOTS_ENDED,
} from './queries.ts';

/** What became of the sessions that were to end. */
export interface EndedSessions {
  /** The seats whose sessions ended now, as they were. */
  ended: readonly SlotRow[];
  /** Those that were left alone: `mayEnd` said no. */
  left: readonly SlotRow[];
  clock: ClockRow | undefined;
}

/**
 * Ends the sessions that still hold a seat and that `mayEnd` allows, announces each and counts it for its project. Those
 * that time out must be past their timeout, those released must not: whoever comes second finds nothing to do.
 */
export async function endSessions(
  outbox: Outbox,
  tx: Queries,
  organizationId: string,
  offset: number,
  sessionIds: readonly string[],
  status: 'released' | 'timed_out',
  mayEnd: (slot: SlotRow) => boolean = () => true,
): Promise<EndedSessions> {
  const locked = await tx.query(LOCK_LICENSES_BY_SESSIONS, [organizationId, sessionIds]);
  if (locked.length === 0) {
    return { ended: [], left: [], clock: undefined };
  }
  await tx.query(LOCK_SLOTS_BY_SESSIONS, [organizationId, sessionIds]);
  const [licenses, slots] = await Promise.all([
    tx.query(LIST_LICENSES_WITH_CLOCK, [organizationId, offset, locked.map((row) => row.license_id)]),
    tx.query(LIST_SLOTS_BY_SESSIONS, [organizationId, offset, sessionIds]),
  ]);
  const [clock] = licenses;
  const isDue = (slot: SlotRow) => slot.is_over === (status === 'timed_out') && mayEnd(slot);
  const ended = slots.filter(isDue);
  const left = slots.filter((slot) => !isDue(slot));
  if (clock === undefined || ended.length === 0) {
    return { ended: [], left, clock };
  }
  const ids = ended.flatMap((slot) => slot.session_id ?? []);
  await tx.query(UPDATE_SLOTS_ENDED, [organizationId, ids, status, clock.wall_ms, clock.away_ms]);
  const active = new Map(licenses.map((license) => [license.id, license.taken - license.over]));
  const announcements = ended.flatMap((slot) => {
    const license = licenses.find((each) => each.id === slot.license_id);
    if (license === undefined) {
      return [];
    }
    // A timed-out session stopped counting at its timeout, a released one stops now.
    const left = (active.get(license.id) ?? 0) - (status === 'released' ? 1 : 0);
    active.set(license.id, left);
    return status === 'released'
      ? announcement(LICENSE_SEAT_RELEASED, presentReleased(slot, clock, license, left))
      : announcement(LICENSE_SEAT_TIMEOUT, presentTimedOut(slot, clock, license, left));
  });
  await outbox.announce(tx, organizationId, offset, announcements);
  const endedAtMs = (slot: SlotRow) => (status === 'released' ? clock.wall_ms : timedOutAtMs(slot, clock));
  await countProjectUsage(
    tx,
    organizationId,
    ended.map((slot) => useOf(slot, endedAtMs(slot))),
  );
  return { ended, left, clock };
}

/** A session that held this seat until then, as its project counts it. */
export function useOf(slot: SlotRow, endedAtMs: number): EndedUse {
  return { projectId: slot.project_id, startedAtMs: slot.started_at_ms ?? endedAtMs, endedAtMs };
}
