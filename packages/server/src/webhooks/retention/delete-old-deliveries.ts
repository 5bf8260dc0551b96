import { systemPause } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import {
  deleteOldDeliveries,
  deleteOldReplays,
  type EndpointAgeRow,
  listEndpointAges,
  updateDeletedCount,
} from './retention-queries.ts';

/**
 * Deletes endpoints' deliveries and replays that are older than the retention, by real time: a user who moves an
 * organization's clock forward wants to see what happened, not to lose it. It iterates over all endpoints, checks the
 * oldest delivery of each without a lock, and deletes in portions. It only remembers its position, so any number of
 * processes may run it, and a restarted one begins with the first endpoint.
 */
export class DeliveryDeleter {
  readonly #database: Queries;
  readonly #days: number;
  #after: EndpointKey | undefined;

  constructor(database: Queries, retentionDays: number) {
    this.#database = database;
    this.#days = retentionDays;
  }

  /** Processes one page of endpoints, or a portion of one; returns true until all have been checked. */
  async run(): Promise<boolean> {
    const endpoints = await listEndpointAges(this.#database, {
      afterOrganizationId: this.#after?.organization_id ?? '',
      afterEndpointId: this.#after?.endpoint_id ?? '',
      days: this.#days,
      limit: ENDPOINTS,
    });
    for (const endpoint of endpoints) {
      if (endpoint.is_over && (await this.#deletePortion(endpoint))) {
        await systemPause(PAUSE_MS);
        return true;
      }
      this.#after = endpoint;
    }
    if (endpoints.length < ENDPOINTS) {
      this.#after = undefined;
    }
    return this.#after !== undefined;
  }

  /** Returns whether this endpoint may have more. */
  async #deletePortion(key: EndpointAgeRow): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [state] = await lockEndpointStates(tx, [key]);
      if (state === undefined) {
        return false;
      }
      const old = { ...idsOf(key), before: key.over_until, limit: PORTION };
      const { has_more: hasMore, numbered } = await deleteOldDeliveries(tx, { ...old, maxAttempts: MAX_ATTEMPTS });
      const mayHaveMore = hasMore || (await deleteOldReplays(tx, old)) >= PORTION;
      if (numbered > 0) {
        await updateDeletedCount(tx, { ...idsOf(key), numbered });
      }
      return mayHaveMore;
    });
  }
}

const ENDPOINTS = 100;
/** About 30 ms of work, during which the endpoint's lock is held. */
const PORTION = 500;
/**
 * The approximate size of one portion: an attempt can contain 4 KiB of a response, and the endpoint must not be locked
 * for long.
 */
const MAX_ATTEMPTS = 2_000;
/** A claim skips a locked endpoint, so most of the time it must not be locked. */
const PAUSE_MS = 100;
