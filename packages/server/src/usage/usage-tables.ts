import { defineOrganizationTable, type OrganizationTable } from '../database/index.ts';

/** What this room stores about an organization. */
export const USAGE_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'usage_records', key: ['id'] }),
  defineOrganizationTable({ table: 'usage_hours', key: ['meter', 'hour'] }),
  defineOrganizationTable({ table: 'usage_seat_hours', key: ['hour'] }),
  defineOrganizationTable({ table: 'usage_seat_marks', key: [] }),
];
