import { systemPause } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { listAllOrganizations } from '../../organizations/index.ts';
import { deleteOldEvents, type EventPosition, listOrganizationAges } from './retention-queries.ts';

/**
 * Deletes events that are older than the retention, except those that a delivery still needs, which are deleted later,
 * after their deliveries. It iterates over organizations like `DeliveryDeleter` over endpoints.
 */
export class EventDeleter {
  readonly #database: Queries;
  readonly #days: number;
  #after = '';
  /** The last checked event, of the organization after that one. */
  #position: EventPosition | undefined;

  constructor(database: Queries, retentionDays: number) {
    this.#database = database;
    this.#days = retentionDays;
  }

  /** Processes one page of organizations, or a portion of one; returns true until all have been checked. */
  async run(): Promise<boolean> {
    const database = this.#database;
    const organizations = await listAllOrganizations(database, { after: this.#after, limit: ORGANIZATIONS });
    const organizationIds = organizations.map(({ id }) => id);
    const ages = await listOrganizationAges(database, { organizationIds, days: this.#days });
    for (const id of organizationIds) {
      const overUntil = ages.find((age) => age.organization_id === id)?.over_until ?? null;
      if (overUntil !== null) {
        this.#position = await deleteOldEvents(database, {
          organizationId: id,
          afterCreated: this.#position?.created ?? '-infinity',
          afterId: this.#position?.id ?? '',
          before: overUntil,
          limit: PORTION,
        });
        if (this.#position !== undefined) {
          await systemPause(PAUSE_MS);
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
const PAUSE_MS = 100;
