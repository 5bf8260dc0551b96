import type { Queries } from '../../database/index.ts';
import { findTimeAway, updateOfflineDeadlines } from './queries.ts';

/** After an outage, lets offline seats end when they were promised to end. Nearly always there is nothing to do. */
export class OfflineEnds {
  #awayMs: number | undefined;

  /** Looks for an outage since the last call, and always does at the first. */
  async keep(database: Queries): Promise<void> {
    const [clock] = await findTimeAway(database);
    if (clock === undefined || clock.away_ms === this.#awayMs) {
      return;
    }
    await updateOfflineDeadlines(database);
    this.#awayMs = clock.away_ms;
  }
}
