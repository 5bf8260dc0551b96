import { define } from './define-setting.ts';
import { parsers } from './parsers.ts';

/** Retention periods (docs/operating/retention.md). */
export const RETENTION_SETTINGS = {
  retentionDays: define(
    'SEATHOLD_RETENTION_DAYS',
    'How many days to keep events and deliveries; 0 keeps them forever.',
    '30',
    parsers.daysOrNever(2, 3_650),
  ),
  retentionSeatSessionsDays: define(
    'SEATHOLD_RETENTION_SEAT_SESSIONS_DAYS',
    'How many days to keep ended seat sessions and the daily usage of projects; 0 keeps them forever.',
    '400',
    parsers.daysOrNever(62, 36_500),
  ),
  retentionRefusalsDays: define(
    'SEATHOLD_RETENTION_REFUSALS_DAYS',
    'How many days to keep refused acquires; 0 keeps them forever.',
    '30',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionRequestsDays: define(
    'SEATHOLD_RETENTION_REQUESTS_DAYS',
    'How many days to keep records of requests; 0 keeps them forever.',
    '7',
    parsers.daysOrNever(1, 365),
  ),
  retentionAuditDays: define(
    'SEATHOLD_RETENTION_AUDIT_DAYS',
    'How many days to keep audit log entries; 0 keeps them forever.',
    '400',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionTokensDays: define(
    'SEATHOLD_RETENTION_TOKENS_DAYS',
    'How many days to keep tokens, logins, invitations, OAuth grants, and OAuth apps after they end; 0 keeps them forever.',
    '30',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionUnverifiedUsersDays: define(
    'SEATHOLD_RETENTION_UNVERIFIED_USERS_DAYS',
    'After how many days without activity to delete users who never verified their email address; 0 never deletes them.',
    '30',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionSandboxOrganizationsDays: define(
    'SEATHOLD_RETENTION_SANDBOX_ORGS_DAYS',
    'After how many days without activity to delete sandbox organizations; 0 never deletes them.',
    '90',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionInvoicesDays: define(
    'SEATHOLD_RETENTION_INVOICES_DAYS',
    'How many days to keep invoices and payments; 0 keeps them forever. Many countries require ten years by law.',
    '3653',
    parsers.daysOrNever(365, 36_500),
  ),
} as const;
