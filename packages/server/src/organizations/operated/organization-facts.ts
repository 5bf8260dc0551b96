import type { Queries } from '../../database/index.ts';
import type { OperatedOrganization } from './schemas.ts';

/** The facts that higher rooms know about organizations. Each function handles a whole page. */
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
  /** When a user or program of the organization was last active. */
  listActivity(
    database: Queries,
    of: { organizationIds: readonly string[] },
  ): Promise<ReadonlyArray<{ organization_id: string; last_active_at: Date | null }>>;
}

/** What the rooms above know about one organization. */
export type KnownFacts = Pick<
  OperatedOrganization,
  'seats' | 'plan_name' | 'balance' | 'balance_currency' | 'last_active_at'
>;

/** Adds all these facts to organizations before they are shown. */
export async function addKnownFacts<Shown extends { id: string }>(
  database: Queries,
  facts: OrganizationFacts,
  organizations: readonly Shown[],
): Promise<Array<Shown & KnownFacts>> {
  const of = { organizationIds: organizations.map(({ id }) => id) };
  // One after the other: a transaction has only one connection, and `pg` will no longer queue queries for it.
  const seats = await facts.listSeats(database, of);
  const plans = await facts.listPlans(database, of);
  const credit = await facts.listCredit(database, of);
  const activity = await facts.listActivity(database, of);
  return organizations.map((organization) => {
    const isOfThis = (fact: { organization_id: string }) => fact.organization_id === organization.id;
    const { included = 0, used = 0 } = seats.find(isOfThis) ?? {};
    const { balance = 0, currency = null } = credit.find(isOfThis) ?? {};
    return {
      ...organization,
      seats: { included, used },
      plan_name: plans.find(isOfThis)?.name ?? null,
      balance,
      balance_currency: currency,
      last_active_at: activity.find(isOfThis)?.last_active_at?.toISOString() ?? null,
    };
  });
}
