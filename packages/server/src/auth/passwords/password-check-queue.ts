import { httpError } from '../../http/index.ts';

/**
 * Limits how many checks of their own password a user can run at the same time in this process. All hashing shares one
 * queue: without this, a single user with a session could fill it, and no one else could log in.
 */
export class PasswordCheckQueue {
  readonly #users = new Map<string, { running: number; waiting: Array<() => void> }>();

  /**
   * Runs `work` when it is its turn among those of the same user. Throws `service_unavailable` if too many are already
   * waiting.
   */
  async take<T>(userId: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(userId);
    try {
      return await work();
    } finally {
      this.#leave(userId);
    }
  }

  #enter(userId: string): Promise<void> {
    const turns = this.#users.get(userId) ?? { running: 0, waiting: [] };
    if (turns.running < AT_ONCE) {
      turns.running += 1;
      this.#users.set(userId, turns);
      return Promise.resolve();
    }
    if (turns.waiting.length >= MAX_WAITING) {
      const refusal = httpError(
        'service_unavailable',
        'Too many simultaneous login attempts for this account. Try again in a moment.',
        {
          headers: { 'retry-after': '1' },
        },
      );
      return Promise.reject(refusal);
    }
    return new Promise((resolve) => turns.waiting.push(resolve));
  }

  #leave(userId: string): void {
    const turns = this.#users.get(userId);
    const next = turns?.waiting.shift();
    if (next !== undefined) {
      next();
    } else if (turns !== undefined && turns.running > 1) {
      turns.running -= 1;
    } else {
      this.#users.delete(userId);
    }
  }
}

const AT_ONCE = 2;
const MAX_WAITING = 5;
