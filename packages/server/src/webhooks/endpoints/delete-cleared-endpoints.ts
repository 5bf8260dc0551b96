import type { Queries } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import {
  type DeletedEndpointRow,
  deleteAllOfDeliveries,
  deleteEndpointRow,
  deletePlannedAttempts,
  deleteReplays,
  findNextDeletedEndpoint,
  takeDeletedEndpoint,
} from './deleted-endpoint-queries.ts';

/**
 * Deletes what deleted endpoints left, and their rows when nothing is left. They take turns, a portion each, so that one which
 * fails again and again, or takes long, holds up none of the others.
 */
export class EndpointDeleter {
  readonly #database: Queries;
  /** The endpoint whose turn was last; another process, or this one started anew, begins with the first. */
  #after: DeletedEndpointRow | undefined;
  /** Whether one that had its turn since the first has more to be deleted. */
  #hasMore = false;

  constructor(database: Queries) {
    this.#database = database;
  }

  /** One portion of the next endpoint; answers whether there may be more, of it or of another. */
  async run(): Promise<boolean> {
    this.#after = await findNextDeletedEndpoint(this.#database, this.#after);
    if (this.#after === undefined) {
      const hasMore = this.#hasMore;
      this.#hasMore = false;
      return hasMore;
    }
    if (await this.#deletePortion(this.#after)) {
      this.#hasMore = true;
    }
    return true;
  }

  /**
   * Answers whether there may be more of this endpoint. What is planned goes before all else: an attempt that is under way
   * finds it gone when it ends, and writes nothing more.
   */
  async #deletePortion(key: EndpointKey): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      if (!(await takeDeletedEndpoint(tx, key))) {
        return false;
      }
      const hasMore =
        (await deletePlannedAttempts(tx, key, PORTION)) >= PORTION ||
        (await deleteAllOfDeliveries(tx, key, PORTION, MOST_ATTEMPTS)) ||
        (await deleteReplays(tx, key, PORTION)) >= PORTION;
      if (!hasMore) {
        await deleteEndpointRow(tx, key);
      }
      return hasMore;
    });
  }
}

const PORTION = 500;
/** Of one portion, about: an attempt can have 4 KiB of an answer, and no statement is to take long. */
const MOST_ATTEMPTS = 2_000;
