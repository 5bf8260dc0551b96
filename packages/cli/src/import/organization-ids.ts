import type { Seathold } from '@seathold/client';
import type { Pace } from './pace.ts';
import { RowRefused } from './row-refused.ts';
import { SeenNames } from './seen-names.ts';

/** Finds organizations by the names used in a file: their ID or external_id. */
export class OrganizationIds {
  readonly #client: Seathold;
  readonly #pace: Pace;
  readonly #known = new Map<string, string>();
  readonly #planned = new SeenNames();

  constructor(client: Seathold, pace: Pace) {
    this.#client = client;
    this.#pace = pace;
  }

  /**
   * The organization's ID; undefined for one that a dry run would have created. Throws RowRefused for an unknown one.
   */
  async require(name: string): Promise<string | undefined> {
    const id = this.#known.get(name) ?? (ID.test(name) ? await this.#check(name) : (await this.find(name))?.id);
    if (id === undefined && !this.#planned.has(name)) {
      throw new RowRefused('organization', `There is no organization ${JSON.stringify(name)}.`);
    }
    return id;
  }

  /** The organization with this external_id. Throws RowRefused if several have it. */
  async find(externalId: string) {
    const query = { external_id: externalId, limit: 2 };
    const { data } = await this.#pace.send(() => this.#client.operator.listOperatedOrganizations(query));
    const [organization, other] = data;
    if (other !== undefined) {
      throw new RowRefused('external_id', `Several organizations have the external_id ${JSON.stringify(externalId)}.`);
    }
    if (organization !== undefined) {
      this.remember(externalId, organization.id);
    }
    return organization;
  }

  /** Saves a request for the next rows of this organization. */
  remember(name: string, id: string): void {
    if (this.#known.size >= MOST_KNOWN) {
      const [oldest] = this.#known.keys();
      this.#known.delete(oldest ?? '');
    }
    this.#known.set(name, id);
  }

  /** Remembers an organization that a dry run would have created. */
  plan(name: string): void {
    this.#planned.add(name);
  }

  async #check(id: string): Promise<string> {
    const organization = await this.#pace.send(() => this.#client.operator.getOperatedOrganization(id));
    this.remember(id, organization.id);
    return organization.id;
  }
}

const ID = /^org_[0-9a-z]{26}$/;
const MOST_KNOWN = 10_000;
