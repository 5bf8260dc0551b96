import { type WriteEvents, writeEvents } from '../../events/index.ts';
import { LICENSE_SEAT_ACQUIRED, LICENSE_SEAT_RELEASED, LICENSE_SEATS_EXHAUSTED } from '../events.ts';
import { defineUpdateFreeSlots } from './free-seat-queries.ts';
import { defineUpdateLiveSlots } from './live-session-queries.ts';

/** The statements that take and release a seat, including events. */
export type SeatStatements = ReturnType<typeof defineSeatStatements>;

/** Creates them with the SQL that writes events. `suffix` distinguishes the names of variants. */
export function defineSeatStatements(write: WriteEvents, suffix: string) {
  return {
    updateFreeSlots: defineUpdateFreeSlots(write, suffix),
    updateLiveSlots: defineUpdateLiveSlots(write, suffix),
  };
}

/** For events without listeners. */
export const UNHEARD_SEAT_STATEMENTS = defineSeatStatements(writeEvents, '');

/** The events of these statements. No room can react to them, because they bypass the outbox. */
export const EVENTS_OF_SEAT_STATEMENTS = [LICENSE_SEAT_ACQUIRED, LICENSE_SEATS_EXHAUSTED, LICENSE_SEAT_RELEASED].map(
  ({ type }) => type,
);
