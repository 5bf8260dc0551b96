import { type ApiError, httpError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/** A place for one open request. It is used again and again. */
interface Place {
  exchange: Exchange | undefined;
  refuse: ((failure: ApiError) => void) | undefined;
  dueAtMs: number;
}

/**
 * Answers the requests that take too long. What they began goes on as if the client had gone away: cutting off a payment
 * between the provider and our record of it would do more harm than a late commit.
 *
 * Every request passes through here, so its place is not made for it: a set or a list that lives long keeps what left it alive
 * until a full garbage collection, which took a fifth of the processor time of a quick request.
 */
export class Deadlines {
  readonly #withinMs: number;
  readonly #places: Place[] = [];
  /** The places that no request has at the moment. */
  readonly #free: Place[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(withinMs = ANSWERED_WITHIN_MS) {
    this.#withinMs = withinMs;
  }

  /** Has `refuse` answer the request when its time is over. Call `stop` with the place as soon as the request is done. */
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
        // A body that is on its way ends at the pace of its reader.
        if (!exchange.response.headersSent) {
          refuse?.(overdue());
        }
      }
    }
    if (this.#free.length < this.#places.length) {
      this.#timer = this.#lookLater();
    }
  }

  /** When the event loop was blocked, its timers run before its sockets are read: an answer that is there comes first. */
  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#look()), this.#withinMs / LOOKS).unref();
  }
}

/** With some time left for the way back, so that the client has its answer within ten seconds. */
const ANSWERED_WITHIN_MS = 9_400;

/** How often the requests are looked at within the time that they have. */
const LOOKS = 80;

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
