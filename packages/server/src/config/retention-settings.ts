import { define } from './define-setting.ts';
import { parsers } from './parsers.ts';

/** How long things are kept (docs/operating/retention.md). */
export const RETENTION_SETTINGS = {
  retentionDays: define(
    'SEATHOLD_RETENTION_DAYS',
    'How long events and deliveries are kept, in days; 0: for ever.',
    '30',
    parsers.daysOrNever(2, 3_650),
  ),
  retentionSeatSessionsDays: define(
    'SEATHOLD_RETENTION_SEAT_SESSIONS_DAYS',
    'How long seat sessions that ended are kept, and what projects used day by day, in days; 0: for ever.',
    '400',
    parsers.daysOrNever(62, 36_500),
  ),
  retentionAuditDays: define(
    'SEATHOLD_RETENTION_AUDIT_DAYS',
    'How long entries of the audit log are kept, in days; 0: for ever.',
    '400',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionTokensDays: define(
    'SEATHOLD_RETENTION_TOKENS_DAYS',
    'How long tokens, logins, invitations and OAuth grants and apps are remembered after they ended, in days; 0: for ever.',
    '30',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionUnverifiedUsersDays: define(
    'SEATHOLD_RETENTION_UNVERIFIED_USERS_DAYS',
    'After how many days without activity a user who never verified the e-mail address is deleted; 0: never.',
    '30',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionSandboxOrganizationsDays: define(
    'SEATHOLD_RETENTION_SANDBOX_ORGS_DAYS',
    'After how many days in which nobody used it an organization of the sandbox is deleted; 0: never.',
    '90',
    parsers.daysOrNever(1, 36_500),
  ),
  retentionInvoicesDays: define(
    'SEATHOLD_RETENTION_INVOICES_DAYS',
    'How long invoices and payments are kept, in days; 0: for ever. The law of most countries demands ten years.',
    '3653',
    parsers.daysOrNever(365, 36_500),
  ),
} as const;
