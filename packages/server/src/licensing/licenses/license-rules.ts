import { isoTime } from '../../clock/index.ts';

/** The status of a license at a moment. */
export type LicenseStatus = 'active' | 'suspended' | 'expired' | 'revoked';

/** When a perpetual license expires: PostgreSQL's `infinity`, so that comparisons and sorting work for it too. */
export const NEVER = 'infinity';

/** An expiry as the API shows it: ISO 8601, or null for never. Given in milliseconds since 1970, never as Infinity. */
export function presentExpiry(expiresAtMs: number): string | null {
  return expiresAtMs === Number.POSITIVE_INFINITY ? null : isoTime(expiresAtMs);
}

/** The operator's decision comes before the expiry: a suspended license stays suspended after it expires. */
export function statusOf(state: 'active' | 'suspended' | 'revoked', expiresAtMs: number, nowMs: number): LicenseStatus {
  if (state !== 'active') {
    return state;
  }
  return expiresAtMs <= nowMs ? 'expired' : 'active';
}
