import type { OrganizationTable } from '../database/index.ts';

/** What this room stores of an organization. */
export const SANDBOX_TABLES: readonly OrganizationTable[] = [{ table: 'sandbox_clock_moves', key: [] }];
