import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { updateLastUses } from './queries.ts';

/**
 * Remembers when API tokens were last used and writes it periodically: with a write per request, the rows of busy
 * tokens would become a bottleneck. If the process is killed, unwritten uses are lost, and nothing depends on them.
 */
export class LastUse {
  readonly #clock: Clock;
  readonly #uses = new Map<string, Use>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a use, unless too many tokens are already waiting to be written. */
  note(organizationId: string, tokenId: string): void {
    if (this.#uses.has(tokenId) || this.#uses.size < MAX_WAITING) {
      const usedAt = new Date(this.#clock.nowMs());
      this.#uses.set(tokenId, { organization_id: organizationId, id: tokenId, used_at: usedAt });
    }
  }

  /** Writes a portion in one statement; returns whether there is more. A portion that could not be written is kept. */
  async write(database: Queries): Promise<boolean> {
    const portion = [...this.#uses.values()].slice(0, PORTION);
    if (portion.length > 0) {
      await updateLastUses(database, { uses: portion });
    }
    for (const use of portion) {
      // A use noted in the meantime is another object and stays for the next portion.
      if (this.#uses.get(use.id) === use) {
        this.#uses.delete(use.id);
      }
    }
    return portion.length === PORTION;
  }
}

const MAX_WAITING = 10_000;
const PORTION = 1_000;

interface Use {
  organization_id: string;
  id: string;
  used_at: Date;
}
