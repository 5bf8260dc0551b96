import type { Seathold } from '@seathold/client';
import type { KnownProducts } from './known-products.ts';
import type { OrganizationIds } from './organization-ids.ts';
import type { OrganizationPeople } from './organization-people.ts';
import type { Pace } from './pace.ts';

/** The dependencies of importing a row. */
export interface ImportTools {
  client: Seathold;
  pace: Pace;
  organizations: OrganizationIds;
  people: OrganizationPeople;
  products: KnownProducts;
  /** Only reports what would be done. */
  isDryRun: boolean;
}

/** The outcome of a row, in a dry run the expected one. */
export type Outcome = 'created' | 'updated' | 'unchanged';
