import { systemPause } from '../../clock/index.ts';
import type { Delivering } from '../delivering/delivering.ts';
import { deleteOldEvents, type EventPosition, listOrganizationAges } from './retention-queries.ts';

/**
 * Deletes events that are older than the retention, but those that a delivery still needs: these go when they are looked at
 * again after their deliveries have gone. It goes through all organizations as `DeliveryDeleter` goes through endpoints.
 */
export class EventDeleter {
  readonly #delivering: Pick<Delivering, 'database'>;
  readonly #days: number;
  #after = '';
  /** The last event that was looked at of the organization that comes after that. */
  #position: EventPosition | undefined;

  constructor(delivering: Pick<Delivering, 'database'>, retentionDays: number) {
    this.#delivering = delivering;
    this.#days = retentionDays;
  }

  /** One page of organizations, or a portion of one; answers whether there is more until all have been looked at. */
  async run(): Promise<boolean> {
    const { database } = this.#delivering;
    const organizations = await listOrganizationAges(database, this.#after, this.#days, ORGANIZATIONS);
    for (const { organization_id: id, over_until: overUntil } of organizations) {
      if (overUntil !== null) {
        this.#position = await deleteOldEvents(database, id, this.#position, overUntil, PORTION);
        if (this.#position !== undefined) {
          await systemPause(BREATH_MS);
          return true;
        }
      }
      this.#position = undefined;
      this.#after = id;
    }
    const isOver = organizations.length < ORGANIZATIONS;
    if (isOver) {
      this.#after = '';
    }
    return !isOver;
  }
}

const ORGANIZATIONS = 100;
/** About 40 ms of work. */
const PORTION = 500;
/** Leaves the database time for other work. */
const BREATH_MS = 100;
