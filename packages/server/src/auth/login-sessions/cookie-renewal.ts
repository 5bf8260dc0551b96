import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { updateCookieLoginsSeen, updateCookieTokensRenewed } from './cookie-queries.ts';

/**
 * Renews the sessions of cookies that are in use, each at most once an hour: with a write per request, the row of a
 * busy session would become a bottleneck. Uses that a killed process has not written are noted again at the session's
 * next request.
 */
export class CookieRenewal {
  readonly #clock: Clock;
  readonly #ttlSeconds: number;
  readonly #everyMs: number;
  /** When each session was last noted, oldest first. */
  readonly #notedAtMs = new Map<string, number>();
  readonly #waiting = new Map<string, CookieUse>();

  /** @param ttlSeconds is how long a session lasts after its last use. */
  constructor(clock: Clock, ttlSeconds: number) {
    this.#clock = clock;
    this.#ttlSeconds = ttlSeconds;
    this.#everyMs = Math.min(3_600, ttlSeconds / 24) * 1000;
  }

  /** Notes a use, unless the session was noted recently or too many are waiting. */
  note(userId: string, loginId: string): void {
    const nowMs = this.#clock.nowMs();
    const notedAtMs = this.#notedAtMs.get(loginId);
    if ((notedAtMs !== undefined && nowMs - notedAtMs < this.#everyMs) || this.#waiting.size >= MAX_WAITING) {
      return;
    }
    this.#notedAtMs.delete(loginId);
    this.#notedAtMs.set(loginId, nowMs);
    this.#waiting.set(loginId, { user_id: userId, id: loginId });
    const [oldest] = this.#notedAtMs.size > MAX_REMEMBERED ? this.#notedAtMs.keys() : [];
    if (oldest !== undefined) {
      this.#notedAtMs.delete(oldest);
    }
  }

  /** Renews a portion; returns whether there is more. A session that ends at the same time stays ended. */
  async write(database: Queries): Promise<boolean> {
    const portion = [...this.#waiting.values()].slice(0, PORTION);
    if (portion.length > 0) {
      await database.transaction(async (tx) => {
        // The login first and its token second, in the order that ending a login uses.
        const live = await updateCookieLoginsSeen(tx, { used: portion });
        await updateCookieTokensRenewed(tx, { logins: live, ttlSeconds: this.#ttlSeconds });
      });
    }
    for (const { id } of portion) {
      this.#waiting.delete(id);
    }
    return portion.length === PORTION;
  }
}

interface CookieUse {
  user_id: string;
  id: string;
}

const MAX_WAITING = 10_000;
const MAX_REMEMBERED = 50_000;
const PORTION = 500;

/** In every role, because each process remembers only its own. */
export function renewCookiesJob(database: Queries, renewal: CookieRenewal): Job {
  return {
    name: 'auth.renew-browser-sessions',
    everyMs: 10_000,
    runsInEveryRole: true,
    run: () => renewal.write(database),
  };
}
