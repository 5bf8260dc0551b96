import { httpError, invalidRequest } from '../../http/index.ts';
import { FAILING_AFTER } from '../endpoint-state/health-rules.ts';

/** The position in an endpoint's deliveries: the last one processed. */
export interface Position {
  createdAt: Date;
  id: string;
}

/** A delivery in the scope of a replay. */
export interface Candidate {
  id: string;
  created_at: Date;
  /** Whether it was attempted since the replay began; it is then skipped. */
  is_attempted: boolean;
}

/** What a replay does next. */
export interface Portion {
  deliveryIds: readonly string[];
  /** Undefined if there was nothing left. */
  position: Position | undefined;
  /** Whether it is the last portion. */
  isLast: boolean;
}

/**
 * How many more deliveries a replay may start: `most` minus the waiting ones. While the endpoint is failing, one, and
 * none until the last one has been tried. Each schedule is six attempts, and a dead endpoint should get few of them.
 */
export function capacityFor(
  failuresInRow: number,
  { waiting, is_last_trying: isLastTrying }: { waiting: number; is_last_trying: boolean },
  most: number,
): number {
  if (failuresInRow < FAILING_AFTER) {
    return Math.max(0, most - waiting);
  }
  return waiting > 0 || isLastTrying ? 0 : 1;
}

/** The first `available` candidates that were not attempted yet. `limit` is how many were requested: fewer are the last. */
export function choosePortion(candidates: readonly Candidate[], available: number, limit: number): Portion {
  const wanted = candidates.filter((each) => !each.is_attempted);
  const chosen = wanted.slice(0, available);
  const isCut = wanted.length > available;
  // The last one chosen, regardless of skipped ones after it: its outcome decides whether the next may start.
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
    throw httpError('validation_failed', 'since must not be later than until or the current time.', {
      details: { field: 'since', reason: 'after_until' },
    });
  }
  return { since, until };
}

/**
 * The schema accepts a few times that have no instant here: leap seconds, and times that a zone offset moves past
 * either end.
 */
function parseTime(field: string, text: string): Date {
  const time = Date.parse(text);
  if (Number.isNaN(time) || time < EARLIEST_MS || time > LATEST_MS) {
    throw invalidRequest(field, 'format', `${field} must be an ISO 8601 time, for example 2027-01-31T12:00:00Z.`);
  }
  return new Date(time);
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
