import { isoTime } from '../../clock/index.ts';
import { createClaims, tokenExpirySeconds } from '../license-tokens/license-token.ts';
import type { LicensingSettings } from '../licensing-tools.ts';
import type { ClockRow, LicenseRow } from './queries.ts';
import type { SeatGrant } from './seat-items.ts';
import type { SeatRequest } from './seat-rules.ts';

/** The granted seat: its session and location. */
export interface GivenSeat {
  organizationId: string;
  /** On the organization's clock, for a seat that is used offline. */
  offlineUntilMs?: number | null;
  sessionId: string;
  license: Pick<
    LicenseRow,
    'id' | 'product' | 'features' | 'max_seats' | 'expires_at_ms' | 'heartbeat_interval_seconds'
  >;
}

/** The answer for a machine that gets or keeps a seat. */
export function createGrant(
  settings: LicensingSettings,
  keyId: string,
  clock: Pick<ClockRow, 'real_ms' | 'wall_ms'>,
  request: SeatRequest,
  { organizationId, sessionId, license, offlineUntilMs = null }: GivenSeat,
): SeatGrant {
  const aheadMs = clock.wall_ms - clock.real_ms;
  const expiry =
    offlineUntilMs === null
      ? tokenExpirySeconds(clock.real_ms, settings.licenseTokenTtlSeconds, license.expires_at_ms - aheadMs)
      : Math.floor((offlineUntilMs - aheadMs) / 1000);
  const issued = Math.floor(clock.real_ms / 1000);
  const session = { id: sessionId, userId: request.userId, hardwareId: request.hardwareId, issued, expiry };
  const claims = createClaims(settings, organizationId, session, license);
  return {
    session_id: sessionId,
    expires_at: isoTime(expiry * 1000),
    heartbeat_interval: license.heartbeat_interval_seconds ?? settings.heartbeatIntervalSeconds,
    features: license.features,
    ...(offlineUntilMs === null ? {} : { offline_until: isoTime(offlineUntilMs) }),
    token: { keyId, claims },
  };
}
