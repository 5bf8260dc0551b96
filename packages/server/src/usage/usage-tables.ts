import type { OrganizationTable } from '../database/index.ts';

/** What this room stores of an organization. */
export const USAGE_TABLES: readonly OrganizationTable[] = [
  { table: 'usage_records', key: ['id'] },
  { table: 'usage_hours', key: ['meter', 'hour'] },
  { table: 'usage_seat_hours', key: ['hour'] },
  { table: 'usage_seat_marks', key: [] },
];
