/** How a license stands at a moment. */
export type LicenseStatus = 'active' | 'suspended' | 'expired' | 'revoked';

/** What the operator decided comes before the calendar: a suspended license stays suspended past its expiry. */
export function statusOf(state: 'active' | 'suspended' | 'revoked', expiresAtMs: number, nowMs: number): LicenseStatus {
  if (state !== 'active') {
    return state;
  }
  return expiresAtMs <= nowMs ? 'expired' : 'active';
}
