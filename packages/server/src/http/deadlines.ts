import { type ApiError, httpError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/** A reusable slot for one open request. */
interface Place {
  exchange: Exchange | undefined;
  refuse: ((failure: ApiError) => void) | undefined;
  dueAtMs: number;
}

/**
 * Answers requests that take too long. Their work continues as if the client had disconnected: aborting a payment
 * between the provider and our record of it would do more harm than a late commit.
 *
 * Every request passes through here, so slots are reused: a long-lived set or list keeps removed entries alive until a
 * full garbage collection, which took a fifth of the CPU time of a quick request.
 */
export class Deadlines {
  readonly #withinMs: number;
  readonly #places: Place[] = [];
  /** The slots that are currently free. */
  readonly #free: Place[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(withinMs = ANSWERED_WITHIN_MS) {
    this.#withinMs = withinMs;
  }

  /** Calls `refuse` when the request's time is up. Call `stop` with the slot as soon as the request is done. */
  start(exchange: Exchange, refuse: (failure: ApiError) => void): Place {
    const place = this.#free.pop() ?? this.#addPlace();
    place.exchange = exchange;
    place.refuse = refuse;
    place.dueAtMs = performance.now() + this.#withinMs;
    this.#timer ??= this.#lookLater();
    return place;
  }

  stop(place: Place): void {
    place.exchange = undefined;
    place.refuse = undefined;
    this.#free.push(place);
  }

  #addPlace(): Place {
    const place: Place = { exchange: undefined, refuse: undefined, dueAtMs: 0 };
    this.#places.push(place);
    return place;
  }

  #look(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const { exchange, refuse, dueAtMs } of this.#places) {
      if (exchange !== undefined && !exchange.isOverdue && dueAtMs <= nowMs) {
        exchange.isOverdue = true;
        // A response that is being sent ends at the pace of its reader.
        if (!exchange.response.headersSent) {
          refuse?.(overdue(exchange));
        }
      }
    }
    if (this.#free.length < this.#places.length) {
      this.#timer = this.#lookLater();
    }
  }

  /** After the event loop was blocked, timers run before sockets are read, so available responses are handled first. */
  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#look()), this.#withinMs / LOOKS).unref();
  }
}

/** Leaves time for the network, so that the client has the response within ten seconds. */
const ANSWERED_WITHIN_MS = 9_400;

/** How often requests are checked within their time limit. */
const LOOKS = 80;

/** Throws if the client was already answered, so that nothing new begins. */
export function requireTime(exchange: Exchange): void {
  if (exchange.isOverdue) {
    throw overdue(exchange);
  }
}

/** The refusal of a request whose time is up. A request that only reads has no effect that could still happen. */
function overdue({ request }: Exchange): ApiError {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return httpError(
    'service_unavailable',
    isRead
      ? 'The request took too long. Try again in a moment.'
      : 'The request took too long and may still take effect. Repeat it with the same Idempotency-Key to learn the outcome.',
    { headers: { 'retry-after': '2' } },
  );
}
