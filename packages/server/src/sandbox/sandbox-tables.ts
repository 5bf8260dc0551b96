import { defineOrganizationTable, type OrganizationTable } from '../database/index.ts';

/** What this room stores about an organization. */
export const SANDBOX_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'sandbox_clock_moves', key: [] }),
];
