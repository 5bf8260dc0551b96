import { isoTime } from '../../clock/index.ts';
import type { LicenseResource } from '../schemas.ts';
import { presentExpiry, statusOf } from './license-rules.ts';
import type { ListedLicenseRow } from './queries.ts';

/** A license as the API and the events show it. */
export function presentLicense(
  license: {
    id: string;
    key: string;
    product: string;
    max_seats: number;
    state: 'active' | 'suspended' | 'revoked';
    expires_at_ms: number;
    created_at_ms: number;
  },
  activeSeats: number,
  nowMs: number,
): LicenseResource {
  return {
    id: license.id,
    key: license.key,
    product: license.product,
    max_seats: license.max_seats,
    active_seats: activeSeats,
    status: statusOf(license.state, license.expires_at_ms, nowMs),
    expires_at: presentExpiry(license.expires_at_ms),
    created_at: isoTime(license.created_at_ms),
  };
}

/** Presents a license read by a query, at the time of that query. */
export function presentListedLicense(row: ListedLicenseRow): LicenseResource {
  return presentLicense(row, row.active_seats, row.now_ms);
}
