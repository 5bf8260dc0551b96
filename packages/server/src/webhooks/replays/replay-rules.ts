import { httpError, invalidRequest } from '../../http/index.ts';
import { FAILING_AFTER } from '../delivering/health-rules.ts';

/** Where a walk through an endpoint's deliveries is: the last that was passed. */
export interface Position {
  createdAt: Date;
  id: string;
}

/** A delivery that a replay comes to. */
export interface Candidate {
  id: string;
  created_at: Date;
  /** Whether it was attempted since the replay began: then it is passed. */
  is_attempted: boolean;
}

/** What a replay does next. */
export interface Portion {
  deliveryIds: readonly string[];
  /** Undefined when there was nothing to pass. */
  position: Position | undefined;
  /** Whether nothing comes after it. */
  isLast: boolean;
}

/**
 * How many more deliveries a replay may take up: what `most` leaves beside those that wait; while the endpoint fails, one,
 * and none while the last is still on its way. A schedule that begins is six attempts: a dead endpoint is to get few of them.
 */
export function roomFor(
  failuresInRow: number,
  { waiting, is_last_trying: isLastTrying }: { waiting: number; is_last_trying: boolean },
  most: number,
): number {
  if (failuresInRow < FAILING_AFTER) {
    return Math.max(0, most - waiting);
  }
  return waiting > 0 || isLastTrying ? 0 : 1;
}

/** The first `room` of the candidates that were not attempted yet. `limit` is how many were asked for: fewer are the last. */
export function choosePortion(candidates: readonly Candidate[], room: number, limit: number): Portion {
  const wanted = candidates.filter((each) => !each.is_attempted);
  const chosen = wanted.slice(0, room);
  const isCut = wanted.length > room;
  // The last that was chosen, whatever was passed after it: how that fares says whether there is room for the next.
  const last = wanted.length > 0 ? chosen.at(-1) : candidates.at(-1);
  return {
    deliveryIds: chosen.map((each) => each.id),
    position: last === undefined ? undefined : { createdAt: last.created_at, id: last.id },
    isLast: !isCut && candidates.length < limit,
  };
}

/**
 * The time span of a replay, whose end is never later than now. Throws `invalid_request` for a time that has no instant,
 * `validation_failed` for a span that ends before it begins.
 */
export function parseSpan(sinceText: string, untilText: string | undefined, now: Date): { since: Date; until: Date } {
  const since = parseTime('since', sinceText);
  const wanted = untilText === undefined ? now : parseTime('until', untilText);
  const until = wanted < now ? wanted : now;
  if (since > until) {
    throw httpError('validation_failed', 'since must not be later than until, nor later than now.', {
      details: { field: 'since', reason: 'after_until' },
    });
  }
  return { since, until };
}

/** The schema lets a few times pass that have no instant here: leap seconds, and what a zone carries past either end. */
function parseTime(field: string, text: string): Date {
  const time = Date.parse(text);
  if (Number.isNaN(time) || time < EARLIEST_MS || time > LATEST_MS) {
    throw invalidRequest(field, 'format', `${field} must be a time such as 2027-01-31T12:00:00Z.`);
  }
  return new Date(time);
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
