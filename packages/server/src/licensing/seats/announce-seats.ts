import { type Announcement, announcement } from '../../events/index.ts';
import { LICENSE_SEAT_ACQUIRED, LICENSE_SEAT_TIMEOUT, LICENSE_SEATS_EXHAUSTED } from '../events.ts';
import { presentLicense } from '../licenses/present-license.ts';
import { presentHolder } from '../sessions/present-session.ts';
import { presentTimedOut } from './present-ended-session.ts';
import type { ClockRow } from './queries.ts';
import type { SeatDecision, SeatRequest } from './seat-rules.ts';

/** The events of one decision, in order: the session that lost the seat, the one that got it, and whether it was the last seat. */
export function announcementsOfDecision(
  decision: SeatDecision,
  request: SeatRequest | undefined,
  clock: ClockRow,
): Announcement[] {
  if (decision.kind !== 'granted' || request === undefined) {
    return [];
  }
  const { license, activeSeats, ended } = decision;
  const acquired = announcement(LICENSE_SEAT_ACQUIRED, {
    session_id: decision.sessionId,
    license_id: license.id,
    user_id: presentHolder(request.userId).user_id,
    hardware_id: request.hardwareId,
    active_seats: activeSeats,
    max_seats: license.max_seats,
  });
  const before =
    ended === undefined
      ? []
      : [announcement(LICENSE_SEAT_TIMEOUT, presentTimedOut(ended, clock, license, activeSeats - 1))];
  const isLast = activeSeats === license.max_seats;
  const after = isLast
    ? [
        announcement(LICENSE_SEATS_EXHAUSTED, {
          ...presentLicense(license, activeSeats, clock.wall_ms),
          license_id: license.id,
        }),
      ]
    : [];
  return [...before, acquired, ...after];
}
