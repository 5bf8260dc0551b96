import { defineOrganizationTable, type OrganizationTable } from '../database/index.ts';

/** What this room keeps of an organization besides its endpoints, which are deleted with their history by a job of their own. */
export const WEBHOOK_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'unsent_events', key: ['event_id'] }),
];
