import { systemPause } from '../clock/index.ts';

/** An organization, and whether anything of it has had its time. */
export interface OrganizationAge {
  organization_id: string;
  is_over: boolean;
}

/** What a walk asks for and does. */
export interface RetentionWalking {
  /** The next `limit` organizations after this one, in the order of their keys. */
  listAges(after: string, limit: number): Promise<readonly OrganizationAge[]>;
  /** Deletes a portion of one organization; answers whether there may be more of it. */
  deletePortion(organizationId: string): Promise<boolean>;
}

/**
 * Deletes what has had its time in one large table, organization by organization, each along an index that begins with it.
 * Deleting is all that it remembers, so that any number of processes may do it, and one that is started anew begins with
 * the first organization.
 */
export class RetentionWalk {
  readonly #walking: RetentionWalking;
  #after = '';

  constructor(walking: RetentionWalking) {
    this.#walking = walking;
  }

  /** One page of organizations, or a portion of one; answers whether there is more until all have been looked at. */
  async run(): Promise<boolean> {
    const organizations = await this.#walking.listAges(this.#after, ORGANIZATIONS);
    for (const { organization_id: id, is_over: isOver } of organizations) {
      if (isOver && (await this.#walking.deletePortion(id))) {
        await systemPause(BREATH_MS);
        return true;
      }
      this.#after = id;
    }
    const isDone = organizations.length < ORGANIZATIONS;
    if (isDone) {
      this.#after = '';
    }
    return !isDone;
  }
}

const ORGANIZATIONS = 100;
/** The database has more to do than this. */
const BREATH_MS = 100;
const DAY_MS = 86_400_000;

/** Of before when something has had its time, by real time. */
export function endOfRetention(nowMs: number, days: number): Date {
  return new Date(nowMs - days * DAY_MS);
}
