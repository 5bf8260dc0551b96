import type { OrganizationTable } from '../../../database/index.ts';

/** What the test provider knows of an organization as its customer; it goes with the organization. */
export const TEST_PROVIDER_TABLES: readonly OrganizationTable[] = ['test_charges', 'test_cards'].map((table) => ({
  table,
  key: ['ref'],
  statement: {
    name: `delete_${table}_of_customer`,
    text: `with d as materialized (select ref from ${table} where customer_ref = 'cus_test_' || $1::text limit $2)
      delete from ${table} where ref = any(array(select ref from d)) returning 1 as gone`,
  },
}));
