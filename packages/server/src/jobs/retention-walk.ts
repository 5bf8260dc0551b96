import { systemPause } from '../clock/index.ts';

/** An organization, and whether it has expired rows. */
export interface OrganizationAge {
  organization_id: string;
  is_over: boolean;
}

/** The callbacks of a walk. */
export interface RetentionWalking {
  /** The next organizations after this one, ordered by ID, including deleted ones. */
  listOrganizations(after: string, limit: number): Promise<ReadonlyArray<{ id: string }>>;
  listAges(organizationIds: readonly string[]): Promise<readonly OrganizationAge[]>;
  /** Deletes a portion of one organization's rows; returns whether there may be more. */
  deletePortion(organizationId: string): Promise<boolean>;
}

/**
 * Deletes expired rows of one large table, organization by organization, along an index that begins with it.
 * It stores no progress besides the deletions, so any number of processes can run it, and a restarted one begins with the
 * first organization.
 */
export class RetentionWalk {
  readonly #walking: RetentionWalking;
  #after = '';

  constructor(walking: RetentionWalking) {
    this.#walking = walking;
  }

  /** Processes one page of organizations, or a portion of one; returns true until all have been processed. */
  async run(): Promise<boolean> {
    const organizations = await this.#walking.listOrganizations(this.#after, ORGANIZATIONS);
    const ages = await this.#walking.listAges(organizations.map(({ id }) => id));
    const expired = new Set(ages.filter((age) => age.is_over).map((age) => age.organization_id));
    for (const { id } of organizations) {
      if (expired.has(id) && (await this.#walking.deletePortion(id))) {
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
/** Leaves the database time for other work. */
const BREATH_MS = 100;
const DAY_MS = 86_400_000;

/** Rows from before this time have expired, by real time. */
export function endOfRetention(nowMs: number, days: number): Date {
  return new Date(nowMs - days * DAY_MS);
}
