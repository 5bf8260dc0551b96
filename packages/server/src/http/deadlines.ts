import { TimerQueue } from '../clock/index.ts';
import { type ApiError, httpError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/**
 * Answers the requests that take too long. What they began goes on as if the client had gone away: cutting off a payment
 * between the provider and our record of it would do more harm than a late commit.
 */
export class Deadlines {
  readonly #queue: TimerQueue;

  constructor(withinMs = ANSWERED_WITHIN_MS) {
    this.#queue = new TimerQueue(withinMs);
  }

  /** Has `refuse` answer the request when its time is over. Call what this returns as soon as the request is done. */
  start(exchange: Exchange, refuse: (failure: ApiError) => void): () => void {
    const timed = this.#queue.start(() => {
      exchange.isOverdue = true;
      // A body that is on its way ends at the pace of its reader.
      if (!exchange.response.headersSent) {
        refuse(overdue());
      }
    });
    return () => this.#queue.stop(timed);
  }
}

/** With half a second left for the way back, so that the client has its answer within ten. */
const ANSWERED_WITHIN_MS = 9_500;

/** Nothing begins for a client that was answered already. */
export function requireTime(exchange: Exchange): void {
  if (exchange.isOverdue) {
    throw overdue();
  }
}

/** The refusal of a request whose time is over. */
function overdue(): ApiError {
  return httpError(
    'service_unavailable',
    'The request took too long and may still take effect. Repeat it with the same Idempotency-Key to learn the outcome.',
    { headers: { 'retry-after': '2' } },
  );
}
