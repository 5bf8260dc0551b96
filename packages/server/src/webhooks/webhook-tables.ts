import { defineOrganizationTable, type OrganizationTable } from '../database/index.ts';

/**
 * What this room stores about an organization besides its endpoints, which a separate job deletes with their history.
 */
export const WEBHOOK_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'unsent_events', key: ['event_id'] }),
];
