import type { ApiAnswer } from '../harness/api-client.ts';
import type { SeatModel } from './seat-model.ts';
import type { ExpectedEvent } from './seat-model-types.ts';

export function isOf(model: SeatModel, licenseId: string): boolean {
  return model.licenses.some(({ id }) => id === licenseId);
}

/** Timeouts that were announced earlier than expected: correct if the session is over, and announced only once. */
export function tidiedUp(model: SeatModel, expected: readonly ExpectedEvent[], told: readonly ExpectedEvent[]) {
  const known = new Set(expected.map((event) => `${event.type} ${event.session}`));
  return told
    .filter((event) => event.type === 'license.seat.timeout' && !known.has(`${event.type} ${event.session}`))
    .flatMap((event) => {
      const session = model.sessions.find((each) => each.id === event.session);
      return session !== undefined && model.isOver(session) ? [model.tidyUp(session)] : [];
    });
}

/**
 * A seat may be cleaned up before or between others that are acquired at the same moment, so its count is only bounded.
 */
export function withoutTimeoutCounts(event: ExpectedEvent): ExpectedEvent {
  return event.type === 'license.seat.timeout' ? { ...event, activeSeats: 0 } : event;
}

export function sorted(events: readonly ExpectedEvent[]): ExpectedEvent[] {
  return events.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** For sessions that start at the same moment it is open which is counted first, so they are sorted by their count. */
function nameOf(event: ExpectedEvent): string {
  return [event.license, event.type, String(event.activeSeats).padStart(9, '0'), event.session].join(' ');
}

/**
 * The position of a new session among those that were acquired. IDs do not reveal it, because they are created before
 * the lock.
 */
export function countOf(answer: ApiAnswer, counts: ReadonlyMap<string, number>): number {
  return counts.get(String(answer.body.data?.session_id)) ?? 0;
}
