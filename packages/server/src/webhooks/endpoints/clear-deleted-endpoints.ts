import type { Queries } from '../../database/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import {
  type DeletedEndpointRow,
  deleteDeliveries,
  deleteEndpointRow,
  deletePlannedAttempts,
  deleteReplays,
  deleteTaken,
  findNextDeletedEndpoint,
  lockDeletedEndpoint,
} from './deleted-endpoint-queries.ts';

/**
 * Deletes what deleted endpoints left, and then their rows. They take turns, a portion each, so that one which keeps failing, or
 * takes long, does not hold up the others.
 */
export class EndpointDeleter {
  readonly #database: Queries;
  /** The endpoint whose turn was last; another process, or this one after a restart, begins with the first. */
  #after: DeletedEndpointRow | undefined;
  /** Whether one that had its turn in this round has more to delete. */
  #hasMore = false;

  constructor(database: Queries) {
    this.#database = database;
  }

  /** Does one portion of the next endpoint; returns whether there may be more, of it or of another. */
  async run(): Promise<boolean> {
    this.#after = await findNextDeletedEndpoint(this.#database, {
      afterDeletedAt: this.#after?.deleted_at ?? '-infinity',
      afterOrganizationId: this.#after?.organization_id ?? '',
      afterEndpointId: this.#after?.endpoint_id ?? '',
    });
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
   * Returns whether this endpoint may have more. What is planned or under way is deleted first: an attempt in flight finds its own gone when
   * it ends, and writes nothing more.
   */
  async #deletePortion(key: EndpointKey): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const ids = idsOf(key);
      if ((await lockDeletedEndpoint(tx, ids)) === 0) {
        return false;
      }
      await deleteTaken(tx, ids);
      const hasMore =
        (await deletePlannedAttempts(tx, { ...ids, limit: PORTION })) >= PORTION ||
        (await deleteDeliveries(tx, { ...ids, limit: PORTION, maxAttempts: MAX_ATTEMPTS })).has_more ||
        (await deleteReplays(tx, { ...ids, limit: PORTION })) >= PORTION;
      if (!hasMore) {
        await deleteEndpointRow(tx, ids);
      }
      return hasMore;
    });
  }
}

const PORTION = 500;
/** Of one portion, about: an attempt can hold 4 KiB of a response, and no statement must take long. */
const MAX_ATTEMPTS = 2_000;
