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
 * Deletes the remaining data of deleted endpoints, and then their rows. They take turns, a portion each, so that one
 * that keeps failing, or takes long, does not delay the others.
 */
export class EndpointDeleter {
  readonly #database: Queries;
  /** The last endpoint processed; another process, or this one after a restart, begins with the first. */
  #after: DeletedEndpointRow | undefined;
  /** Whether one that had its turn in this round has more to delete. */
  #hasMore = false;

  constructor(database: Queries) {
    this.#database = database;
  }

  /** Processes one portion of the next endpoint; returns whether there may be more, of it or of another. */
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
   * Returns whether this endpoint may have more. Planned and in-flight attempts are deleted first: an attempt in flight
   * finds its row gone when it ends, and writes nothing.
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
/** The approximate size of one portion: an attempt can contain 4 KiB of a response, and no statement must take long. */
const MAX_ATTEMPTS = 2_000;
