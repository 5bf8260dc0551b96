import { isoTime } from '../../clock/index.ts';
import { httpError } from '../../http/index.ts';

/** How many streams may be open: 20 for a user in an environment, and 5,000 in a process. */
export class StreamSlots {
  static #open = 0;
  readonly #ofUsers = new Map<string, number>();

  /** Takes a slot; returns a function that releases it. Throws `rate_limit_exceeded` or `service_unavailable`. */
  take(userId: string, nowMs: number): () => void {
    const open = this.#ofUsers.get(userId) ?? 0;
    if (open >= MAX_OF_USER) {
      const reset_at = isoTime(nowMs + RETRY_SECONDS * 1000);
      throw httpError('rate_limit_exceeded', `At most ${MAX_OF_USER} event streams can be open. Close one first.`, {
        details: { limit: MAX_OF_USER, reset_at, retry_after: RETRY_SECONDS },
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    }
    if (StreamSlots.#open >= MAX_OF_PROCESS) {
      throw httpError('service_unavailable', 'Too many event streams are open. Try again in a moment.', {
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    }
    StreamSlots.#open += 1;
    this.#ofUsers.set(userId, open + 1);
    let isTaken = true;
    return () => {
      if (isTaken) {
        isTaken = false;
        StreamSlots.#open -= 1;
        this.#give(userId);
      }
    };
  }

  #give(userId: string): void {
    const left = (this.#ofUsers.get(userId) ?? 1) - 1;
    if (left === 0) {
      this.#ofUsers.delete(userId);
    } else {
      this.#ofUsers.set(userId, left);
    }
  }
}

const MAX_OF_USER = 20;
const MAX_OF_PROCESS = 5_000;
const RETRY_SECONDS = 5;
