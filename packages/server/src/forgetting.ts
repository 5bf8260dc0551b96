import { AUDIT_ERASURES } from './audit/index.ts';
import { AUTH_TABLES } from './auth/index.ts';
import { BOOK_TABLES, CARD_TABLES, discardLiveBilling, hasBooks, hasLiveBilling } from './billing/index.ts';
import type { OrganizationTable } from './database/index.ts';
import { EVENT_ERASURES, EVENT_TABLES } from './events/index.ts';
import {
  eraseHeldSeats,
  hasLiveLicense,
  hasSeatUseSince,
  LICENSING_ERASURES,
  LICENSING_TABLES,
} from './licensing/index.ts';
import { MAIL_ERASURES } from './mail/index.ts';
import { OAUTH_ERASURES, OAUTH_TABLES } from './oauth/index.ts';
import { ORGANIZATION_ERASURES, ORGANIZATION_TABLES } from './organizations/index.ts';
import { SANDBOX_TABLES } from './sandbox/index.ts';
import { USAGE_TABLES } from './usage/index.ts';
import { WEBHOOK_TABLES } from './webhooks/index.ts';

/** The tables erased for a deleted organization, in order: referring rows before the rows they refer to. */
export function tablesOfOrganizations(isSandbox: boolean): readonly OrganizationTable[] {
  return [
    ...WEBHOOK_TABLES,
    ...EVENT_TABLES,
    ...LICENSING_TABLES,
    ...USAGE_TABLES,
    ...SANDBOX_TABLES,
    ...CARD_TABLES,
    ...(isSandbox ? BOOK_TABLES : []),
    ...OAUTH_TABLES,
    ...AUTH_TABLES,
    ...ORGANIZATION_TABLES,
  ];
}

/** The dependencies of deleting organizations from higher rooms. */
export const BOOKS = { hasLiveBilling, hasBooks };

/** The dependencies of deleting accounts from rooms above auth. */
export const FORGETTING = {
  hasLiveBilling,
  hasLiveLicense,
  hasSeatUseSince,
  eraseHeldSeats,
  discardLiveBilling,
  erasures: [
    ...MAIL_ERASURES,
    ...ORGANIZATION_ERASURES,
    ...LICENSING_ERASURES,
    ...EVENT_ERASURES,
    ...AUDIT_ERASURES,
    ...OAUTH_ERASURES,
  ],
  // Renewals, dunning, expiries and timeouts happen without any use.
  eventsOfTime: [
    'invoice.created',
    'invoice.paid',
    'invoice.payment_failed',
    'subscription.updated',
    'subscription.expired',
    'license.expiring',
    'license.expired',
    'license.seat.timeout',
  ],
};
