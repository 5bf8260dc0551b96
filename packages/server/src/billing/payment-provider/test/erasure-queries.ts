import { count, type OrganizationTable, statement } from '../../../database/index.ts';

/** What the test provider stores about an organization as its customer; deleted with the organization. */
export const TEST_PROVIDER_TABLES: readonly OrganizationTable[] = ['test_charges', 'test_cards'].map((table) => ({
  table,
  deleteRows: statement({
    name: `delete_${table}_of_customer`,
    parameters: { organizationId: 'text', limit: 'integer' },
    returns: count(),
    sql: ({ organizationId, limit }) => `
      with d as materialized (
        select ref from ${table} where customer_ref = 'cus_test_' || ${organizationId} limit ${limit}
      )
      delete from ${table} where ref = any(array(select ref from d))`,
  }),
}));
