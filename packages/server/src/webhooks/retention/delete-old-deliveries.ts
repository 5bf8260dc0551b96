import { systemPause } from '../../clock/index.ts';
import type { Delivering, EndpointKey } from '../delivering/delivering.ts';
import { lockEndpointStates } from '../delivering/state-queries.ts';
import { deleteOldDeliveries, deleteOldReplays, type EndpointAgeRow, listEndpointAges } from './retention-queries.ts';

/**
 * Deletes what is older than the retention, by real time, of endpoints' deliveries and replays: whoever moves an organization's
 * clock forward wants to see what happened, not to lose it. It goes through all endpoints, looks at the
 * oldest of each without a lock, and deletes in portions; deleting is all that it remembers, so that any number of processes
 * may do it, and one that is started anew begins with the first endpoint.
 */
export class DeliveryDeleter {
  readonly #delivering: Pick<Delivering, 'database'>;
  readonly #days: number;
  #after: EndpointKey | undefined;

  constructor(delivering: Pick<Delivering, 'database'>, retentionDays: number) {
    this.#delivering = delivering;
    this.#days = retentionDays;
  }

  /** One page of endpoints, or a portion of one; answers whether there is more until all have been looked at. */
  async run(): Promise<boolean> {
    const endpoints = await listEndpointAges(this.#delivering.database, this.#after, this.#days, ENDPOINTS);
    for (const endpoint of endpoints) {
      if (endpoint.is_over && (await this.#deletePortion(endpoint))) {
        await systemPause(BREATH_MS);
        return true;
      }
      this.#after = endpoint;
    }
    if (endpoints.length < ENDPOINTS) {
      this.#after = undefined;
    }
    return this.#after !== undefined;
  }

  /** Answers whether there may be more of this endpoint. */
  async #deletePortion(key: EndpointAgeRow): Promise<boolean> {
    return this.#delivering.database.transaction(async (tx) => {
      const [state] = await lockEndpointStates(tx, [key]);
      if (state === undefined) {
        return false;
      }
      return (
        (await deleteOldDeliveries(tx, key, key.over_until, PORTION, MOST_ATTEMPTS)) ||
        (await deleteOldReplays(tx, key, key.over_until, PORTION)) >= PORTION
      );
    });
  }
}

const ENDPOINTS = 100;
/** About 30 ms of work, in which the endpoint's lock is held. */
const PORTION = 500;
/** Of one portion, about: an attempt can have 4 KiB of an answer, and the endpoint's lock is to be held for moments only. */
const MOST_ATTEMPTS = 2_000;
/** A claim passes over an endpoint that is locked, so most of the time it must not be. */
const BREATH_MS = 100;
