import { type WriteEvents, writeEvents } from '../../events/index.ts';
import { LICENSE_SEAT_ACQUIRED, LICENSE_SEAT_RELEASED, LICENSE_SEATS_EXHAUSTED } from '../events.ts';
import { defineUpdateFreeSlots } from './free-seat-queries.ts';
import { defineUpdateLiveSlots } from './live-session-queries.ts';

/** The statements that take and release a seat by themselves, events included. */
export type SeatStatements = ReturnType<typeof defineSeatStatements>;

/** Makes them with the SQL that writes events. `suffix` distinguishes the names of those that write them otherwise. */
export function defineSeatStatements(write: WriteEvents, suffix: string) {
  return {
    updateFreeSlots: defineUpdateFreeSlots(write, suffix),
    updateLiveSlots: defineUpdateLiveSlots(write, suffix),
  };
}

/** Where nobody listens to the events. */
export const UNHEARD_SEAT_STATEMENTS = defineSeatStatements(writeEvents, '');

/** What these statements announce. No room may react to it: it would never hear of it. */
export const EVENTS_OF_SEAT_STATEMENTS = [LICENSE_SEAT_ACQUIRED, LICENSE_SEATS_EXHAUSTED, LICENSE_SEAT_RELEASED].map(
  ({ type }) => type,
);
