import { isoTime } from '../../clock/index.ts';
import { presentSession } from '../sessions/present-session.ts';
import type { ClockRow, LicenseRow, SlotRow } from './queries.ts';

/** When a session timed out, on the organization's clock: its deadline in service time plus the time away. */
export function timedOutAtMs(slot: SlotRow, clock: ClockRow): number {
  return Math.min((slot.deadline_ms ?? 0) + clock.away_ms, clock.wall_ms);
}

/** The object of license.seat.released. */
export function presentReleased(
  slot: SlotRow,
  releasedBy: string | null,
  clock: ClockRow,
  license: LicenseRow,
  activeSeats: number,
) {
  return {
    ...presentSession(slot),
    status: 'released' as const,
    released_at: isoTime(clock.wall_ms),
    ...presentEnd(slot, clock.wall_ms, license, activeSeats),
    released_by: releasedBy,
  };
}

/** The object of license.seat.timeout. */
export function presentTimedOut(slot: SlotRow, clock: ClockRow, license: LicenseRow, activeSeats: number) {
  return {
    ...presentSession(slot),
    status: 'timed_out' as const,
    timeout_at: isoTime(timedOutAtMs(slot, clock)),
    ...presentEnd(slot, timedOutAtMs(slot, clock), license, activeSeats),
    released_by: null,
  };
}

function presentEnd(slot: SlotRow, endedAtMs: number, license: LicenseRow, activeSeats: number) {
  return {
    ended_at: isoTime(endedAtMs),
    offline_until: slot.offline_until_ms === null ? null : isoTime(slot.offline_until_ms),
    session_id: slot.session_id ?? '',
    license_id: license.id,
    active_seats: activeSeats,
    max_seats: license.max_seats,
  };
}
