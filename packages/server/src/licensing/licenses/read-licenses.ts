import { isoTime } from '../../clock/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  type ListPage,
  notFound,
  type PageRequest,
  toPage,
} from '../../http/index.ts';
import type { LicenseResource } from '../schemas.ts';
import { presentSession } from '../seats/present-session.ts';
import { LIST_ACTIVE_SESSIONS } from '../seats/session-queries.ts';
import { NEVER, presentExpiry } from './license-rules.ts';
import { presentLicense } from './present-license.ts';
import { findLicense, type ListedLicenseRow, listLicenses } from './queries.ts';

/** The organization's licenses, a page at a time. */
export async function readLicenses(context: AuthorizedContext, page: PageRequest): Promise<ListPage<LicenseResource>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const rows = await context.database.run(listLicenses(organizationId, clockOffsetMs, page));
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), present);
}

/** One license with its features and active sessions. */
export async function readLicense(context: AuthorizedContext, id: string): Promise<Answer<unknown>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const [license] = await context.database.run(findLicense(organizationId, clockOffsetMs, id));
  if (license === undefined) {
    throw notFound('license');
  }
  const sessions = await context.database.query(LIST_ACTIVE_SESSIONS, [organizationId, clockOffsetMs, id]);
  const data = {
    ...present(license),
    available_seats: Math.max(0, license.max_seats - license.active_seats),
    features: license.features,
    sessions: sessions.map(presentSession),
  };
  return { data };
}

function present(row: ListedLicenseRow): LicenseResource {
  return presentLicense(row, row.active_seats, row.now_ms);
}

function sortValue(row: ListedLicenseRow, sort: string): string {
  switch (sort) {
    case 'expires_at':
      return presentExpiry(row.expires_at_ms) ?? NEVER;
    case 'product':
      return row.product;
    default:
      return isoTime(row.created_at_ms);
  }
}
