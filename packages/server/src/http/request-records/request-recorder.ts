/** The stored fields of an answered request. */
export interface RecordedRequest {
  id: string;
  atMs: number;
  method: string;
  /** The path in the table of routes; null if there is none. */
  route: string | null;
  status: number;
  code: string | null;
  durationMs: number;
  organizationId: string | null;
  userId: string | null;
}

/**
 * Gathers answered requests until they are written: each error, the first few successes, and a sample of the rest. Each
 * kind has room for a number of records between two writes, so that a flood of requests does not become a flood of
 * rows, and one kind does not displace another.
 */
export class RequestRecorder {
  readonly #sample: number;
  readonly #random: () => number;
  readonly #waiting: RecordedRequest[] = [];
  readonly #counts = { answers: 0, errors: 0, strangers: 0 };

  /** @param sample the part of successful requests that is kept while many arrive, from 0 to 1; 0 keeps none. */
  constructor(sample: number, random = Math.random) {
    this.#sample = sample;
    this.#random = random;
  }

  /** Whether there is room for a record of such an answer. Counts it, so call it once per request. */
  wants(status: number, isKnownCaller: boolean): boolean {
    const kind = kindOf(status, isKnownCaller);
    if ((kind === 'answers' && !this.#isSampled()) || this.#counts[kind] >= ROOM[kind]) {
      return false;
    }
    this.#counts[kind] += 1;
    return true;
  }

  /** At low traffic, every success is recorded, so that any request can be found. */
  #isSampled(): boolean {
    const isQuiet = this.#sample > 0 && this.#counts.answers < KEPT_WHILE_QUIET;
    return isQuiet || this.#random() < this.#sample;
  }

  add(request: RecordedRequest): void {
    this.#waiting.push(request);
  }

  /** Takes all waiting records, and makes room for as many again. */
  take(): readonly RecordedRequest[] {
    Object.assign(this.#counts, { answers: 0, errors: 0, strangers: 0 });
    return this.#waiting.splice(0);
  }

  /** Takes back records that could not be written, as far as there is room. */
  giveBack(requests: readonly RecordedRequest[]): void {
    this.#waiting.unshift(...requests.slice(0, Math.max(0, MOST_WAITING - this.#waiting.length)));
  }
}

type Kind = 'answers' | 'errors' | 'strangers';

/** Requests over a limit, or without a valid token, can come in any number. The others are bounded by limits. */
function kindOf(status: number, isKnownCaller: boolean): Kind {
  if (status < 400) {
    return 'answers';
  }
  return status >= 500 || (isKnownCaller && status !== 429) ? 'errors' : 'strangers';
}

/** Between two writes. */
export const ROOM: Readonly<Record<Kind, number>> = { answers: 50, errors: 1_000, strangers: 100 };
/** How many of `answers` are recorded without sampling. */
export const KEPT_WHILE_QUIET = 10;
const MOST_WAITING = 3_000;
