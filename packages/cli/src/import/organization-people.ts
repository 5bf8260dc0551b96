import type { Seathold } from '@seathold/client';
import type { Pace } from './pace.ts';
import type { UserRow } from './row-schemas.ts';

export type Role = NonNullable<UserRow['role']>;

/** A member of an organization, or an invited person. */
export type Person = { kind: 'member'; userId: string; role: Role } | { kind: 'invited'; id: string; role: Role };

/** The people of an organization by their addresses. */
export type People = Map<string, Person>;

/**
 * Reads the people of an organization once for all its rows. These rows are usually adjacent, so only the last few
 * organizations are cached.
 */
export class OrganizationPeople {
  readonly #client: Seathold;
  readonly #pace: Pace;
  readonly #kept = new Map<string, Promise<People>>();

  constructor(client: Seathold, pace: Pace) {
    this.#client = client;
    this.#pace = pace;
  }

  /** The people of an organization. Callers that change them must update the map. */
  of(organizationId: string): Promise<People> {
    const kept = this.#kept.get(organizationId) ?? this.#pace.send(() => this.#list(organizationId));
    this.#kept.delete(organizationId);
    this.#kept.set(organizationId, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return kept;
  }

  async #list(organizationId: string): Promise<People> {
    const people: People = new Map();
    const { organizations } = this.#client;
    const acting = { organizationId };
    const pending = { status: 'pending', limit: 100 } as const;
    for await (const { id, email, role } of organizations.listInvitations(organizationId, pending, acting)) {
      people.set(email.toLowerCase(), { kind: 'invited', id, role });
    }
    for await (const member of organizations.listMembers(organizationId, { limit: 100 }, acting)) {
      people.set(member.email.toLowerCase(), { kind: 'member', userId: member.user_id, role: member.role });
    }
    return people;
  }
}

/** More than the number of concurrent rows. */
const MOST_KEPT = 80;
