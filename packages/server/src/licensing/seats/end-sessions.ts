import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { LICENSE_SEAT_RELEASED, LICENSE_SEAT_TIMEOUT } from '../events.ts';
import { countProjectUsage, type EndedUse } from '../project-usage/count-project-usage.ts';
import { insertSessionRevocations } from '../revocations/queries.ts';
import { presentReleased, presentTimedOut, timedOutAtMs } from './present-ended-session.ts';
import {
  type ClockRow,
  listLicensesWithClock,
  listSlotsBySessions,
  lockLicensesBySessions,
  lockSlotsBySessions,
  type SlotRow,
  updateSlotsEnded,
} from './queries.ts';

/** Sessions of one organization to end. */
export interface SessionEnding {
  organizationId: string;
  clockOffsetMs: number;
  sessionIds: readonly string[];
  /** Sessions that time out must be past their timeout; sessions that are released must not. */
  status: 'released' | 'timed_out';
  /** Sessions for which it returns false are not ended. */
  mayEnd?: (slot: SlotRow) => boolean;
  /** The user who releases a session; none by default. */
  releasedBy?: (slot: SlotRow) => string | null;
}

/**
 * Ends sessions that still hold a seat, announces each, and counts each for its project. Returns the seats before the
 * change, and the clock. Idempotent.
 */
export async function endSessions(
  tx: Queries,
  { outbox }: { outbox: Outbox },
  { organizationId, clockOffsetMs, sessionIds, status, mayEnd = () => true, releasedBy = () => null }: SessionEnding,
): Promise<{ ended: readonly SlotRow[]; clock: ClockRow | undefined }> {
  const locked = await lockLicensesBySessions(tx, { organizationId, sessionIds });
  if (locked.length === 0) {
    return { ended: [], clock: undefined };
  }
  await lockSlotsBySessions(tx, { organizationId, sessionIds });
  const licenseIds = locked.map((row) => row.license_id);
  const [licenses, slots] = await Promise.all([
    listLicensesWithClock(tx, { organizationId, clockOffsetMs, licenseIds }),
    listSlotsBySessions(tx, { organizationId, clockOffsetMs, sessionIds }),
  ]);
  const [clock] = licenses;
  const ended = slots.filter((slot) => slot.is_over === (status === 'timed_out') && mayEnd(slot));
  if (clock === undefined || ended.length === 0) {
    return { ended: [], clock };
  }
  const sessions = ended.map((slot) => ({ session_id: slot.session_id ?? '', released_by: releasedBy(slot) }));
  const times = { wallMs: clock.wall_ms, awayMs: clock.away_ms };
  await updateSlotsEnded(tx, { organizationId, sessions, status, ...times });
  await revokeTokens(tx, organizationId, clock, ended, releasedBy);
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
      ? announcement(LICENSE_SEAT_RELEASED, presentReleased(slot, releasedBy(slot), clock, license, left))
      : announcement(LICENSE_SEAT_TIMEOUT, presentTimedOut(slot, clock, license, left));
  });
  await outbox.announce(tx, organizationId, clockOffsetMs, announcements);
  const endedAtMs = (slot: SlotRow) => (status === 'released' ? clock.wall_ms : timedOutAtMs(slot, clock));
  const uses = ended.map((slot) => useOf(slot, endedAtMs(slot)));
  await countProjectUsage(tx, organizationId, uses);
  return { ended, clock };
}

/** Tokens of a session that someone else ended are listed as revoked, because the program does not know about it. */
async function revokeTokens(
  tx: Queries,
  organizationId: string,
  clock: ClockRow,
  ended: readonly SlotRow[],
  releasedBy: (slot: SlotRow) => string | null,
): Promise<void> {
  const sessions = ended.flatMap((slot) => {
    const by = releasedBy(slot);
    const expiresMs = slot.token_expires_at_ms ?? 0;
    return by === null || by === slot.user_id || expiresMs <= clock.real_ms
      ? []
      : [{ session_id: slot.session_id ?? '', token_expires_ms: expiresMs }];
  });
  if (sessions.length > 0) {
    await insertSessionRevocations(tx, { organizationId, at: clock.real_ms, sessions });
  }
}

/** The use of a seat until then, as it is counted for its project. */
export function useOf(slot: SlotRow, endedAtMs: number): EndedUse {
  return { projectId: slot.project_id, startedAtMs: slot.started_at_ms ?? endedAtMs, endedAtMs };
}
