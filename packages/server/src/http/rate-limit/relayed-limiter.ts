import { readDecision, writeDecision } from './decision-numbers.ts';
import type { RateLimiter, TakeRequest } from './limiter.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import type { Decision, Subject, WindowLimit } from './windows.ts';

/** A serialized request to be counted: 1 to enforce, the time, then key and windows of each subject. */
export type RelayedRequest = ReadonlyArray<number | string>;

/** Asks the process that counts for all. Rejects if it does not answer in time. */
export type RelayRequests = (requests: readonly RelayedRequest[]) => Promise<readonly unknown[]>;

/**
 * Has its requests counted by another process of this machine, so that processes that serve together share one count.
 * Requests of one turn of the event loop are sent as one message, because a message costs more than a decision.
 */
export class RelayedLimiter implements RateLimiter {
  readonly #relay: RelayRequests;
  /** Counts while the other process does not answer; not carried over. */
  readonly #insurance = new MemoryLimiter({ maxSubjects: 100_000 });
  #waiting: Array<{ request: TakeRequest; resolve: (decision: Decision) => void }> = [];

  constructor(relay: RelayRequests) {
    this.#relay = relay;
  }

  take(request: TakeRequest): Promise<Decision> {
    return new Promise((resolve) => {
      if (this.#waiting.push({ request, resolve }) === 1) {
        setImmediate(() => void this.#send());
      }
    });
  }

  close(): Promise<void> {
    return this.#insurance.close();
  }

  async #send(): Promise<void> {
    const sent = this.#waiting;
    this.#waiting = [];
    const answers = await this.#relay(sent.map(({ request }) => writeRequest(request))).catch(() => []);
    for (const [place, { request, resolve }] of sent.entries()) {
      const answer = answers[place];
      resolve(answer === undefined ? this.#insurance.take(request) : readDecision(request, answer));
    }
  }
}

/** Counts relayed requests. */
export class RelayTarget {
  readonly #limiter = new MemoryLimiter();
  /** Windows by their text; there are few, because they come from the policies. */
  readonly #known = new Map<string, readonly WindowLimit[]>();

  /** The decisions, as numbers. */
  take(requests: readonly RelayedRequest[]): number[][] {
    return requests.map((request) => writeDecision(this.#limiter.take(this.#read(request))));
  }

  #read([enforce, nowMs, ...pairs]: RelayedRequest): TakeRequest {
    const subjects: Subject[] = [];
    for (let place = 0; place < pairs.length; place += 2) {
      subjects.push({ key: String(pairs[place]), windows: this.#readWindows(String(pairs[place + 1])) });
    }
    return { subjects, nowMs: Number(nowMs), enforce: enforce === 1 };
  }

  #readWindows(text: string): readonly WindowLimit[] {
    const known = this.#known.get(text);
    if (known !== undefined) {
      return known;
    }
    // Limits that grow with an organization's seats have many values.
    if (this.#known.size >= MOST_KNOWN) {
      this.#known.clear();
    }
    const windows = (text === '' ? [] : text.split(' ')).map((each) => {
      const [name = '', limit, seconds] = each.split('/');
      return { name, limit: Number(limit), seconds: Number(seconds) };
    });
    this.#known.set(text, windows);
    return windows;
  }
}

const MOST_KNOWN = 1_000;

function writeRequest({ enforce, nowMs, subjects }: TakeRequest): RelayedRequest {
  const parts: Array<number | string> = [enforce ? 1 : 0, nowMs];
  for (const { key, windows } of subjects) {
    parts.push(key, writeWindows(windows));
  }
  return parts;
}

function writeWindows(windows: readonly WindowLimit[]): string {
  const known = TEXTS.get(windows);
  if (known !== undefined) {
    return known;
  }
  const text = windows.map(({ name, limit, seconds }) => `${name}/${limit}/${seconds}`).join(' ');
  TEXTS.set(windows, text);
  return text;
}

/** The lists of the policies are the same objects for every request. */
const TEXTS = new WeakMap<readonly WindowLimit[], string>();
