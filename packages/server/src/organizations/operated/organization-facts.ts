import type { Queries } from '../../database/index.ts';

/** What the rooms above this one know of organizations. Each answers for a page of them at once. */
export interface OrganizationFacts {
  /** The organizations that have a license with this key, or an invoice with this number; at most a hundred. */
  findOrganizationsByReference(database: Queries, text: string): Promise<readonly string[]>;
  listSeats(
    database: Queries,
    of: { organizationIds: readonly string[] },
  ): Promise<ReadonlyArray<{ organization_id: string; included: number; used: number }>>;
  /** The plan of the best live subscription. */
  listPlans(
    database: Queries,
    of: { organizationIds: readonly string[] },
  ): Promise<ReadonlyArray<{ organization_id: string; name: string }>>;
  /** Credit, the largest one of an organization first. */
  listCredit(
    database: Queries,
    of: { organizationIds: readonly string[] },
  ): Promise<ReadonlyArray<{ organization_id: string; currency: string; balance: number }>>;
  /** When somebody or some program of the organization was last there. */
  listActivity(
    database: Queries,
    of: { organizationIds: readonly string[] },
  ): Promise<ReadonlyArray<{ organization_id: string; last_active_at: Date | null }>>;
}
