import { isoTime } from '../../clock/index.ts';
import type { SessionResource } from '../schemas.ts';
import type { ClockRow, LicenseRow, SlotRow } from './queries.ts';

/** A session as a license shows it. */
export function presentSession(slot: {
  session_id: string | null;
  user_id: string | null;
  hardware_id: string | null;
  started_at_ms: number | null;
  last_heartbeat_ms: number | null;
}): SessionResource {
  return {
    id: slot.session_id ?? '',
    user_id: slot.user_id ?? '',
    hardware_id: slot.hardware_id ?? '',
    started_at: isoTime(slot.started_at_ms ?? 0),
    last_heartbeat: isoTime(slot.last_heartbeat_ms ?? 0),
  };
}

/** When a session timed out, on the organization's clock: its deadline in service time, put back among the days away. */
export function timedOutAtMs(slot: SlotRow, clock: ClockRow): number {
  return Math.min((slot.deadline_ms ?? 0) + clock.away_ms, clock.wall_ms);
}

/** The object of license.seat.released. */
export function presentReleased(slot: SlotRow, clock: ClockRow, license: LicenseRow, activeSeats: number) {
  return {
    ...presentSession(slot),
    status: 'released' as const,
    released_at: isoTime(clock.wall_ms),
    session_id: slot.session_id ?? '',
    license_id: license.id,
    active_seats: activeSeats,
    max_seats: license.max_seats,
  };
}

/** The object of license.seat.timeout. */
export function presentTimedOut(slot: SlotRow, clock: ClockRow, license: LicenseRow, activeSeats: number) {
  return {
    ...presentSession(slot),
    status: 'timed_out' as const,
    timeout_at: isoTime(timedOutAtMs(slot, clock)),
    session_id: slot.session_id ?? '',
    license_id: license.id,
    active_seats: activeSeats,
    max_seats: license.max_seats,
  };
}
