import { isoTime } from '../../clock/index.ts';
import { createClaims, tokenExpirySeconds } from '../license-tokens/license-token.ts';
import type { LicensingSettings } from '../licensing-tools.ts';
import type { ClockRow } from './queries.ts';
import type { SeatGrant } from './seat-items.ts';
import type { SeatDecision, SeatRequest } from './seat-rules.ts';

/** The grant for a decision, or undefined when the decision is a refusal. */
export function makeGrant(
  settings: LicensingSettings,
  organizationId: string,
  keyId: string,
  clock: ClockRow,
  request: SeatRequest | undefined,
  decision: SeatDecision,
): SeatGrant | undefined {
  if (request === undefined || (decision.kind !== 'granted' && decision.kind !== 'renewed')) {
    return undefined;
  }
  const { license, sessionId } = decision;
  const realExpiryMs = license.expires_at_ms - (clock.wall_ms - clock.real_ms);
  const expiry = tokenExpirySeconds(clock.real_ms, settings.licenseTokenTtlSeconds, realExpiryMs);
  const issued = Math.floor(clock.real_ms / 1000);
  const session = { id: sessionId, userId: request.userId, hardwareId: request.hardwareId, issued, expiry };
  const claims = createClaims(settings, organizationId, session, license);
  return {
    session_id: sessionId,
    expires_at: isoTime(expiry * 1000),
    heartbeat_interval: license.heartbeat_interval_seconds ?? settings.heartbeatIntervalSeconds,
    features: license.features,
    token: { keyId, claims },
  };
}
