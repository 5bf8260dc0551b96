import { isoTime } from '../../clock/index.ts';
import { tokenExpirySeconds } from '../license-tokens/license-token.ts';
import type { LicensingState } from '../state.ts';
import type { ClockRow } from './queries.ts';
import type { SeatGrant } from './seat-items.ts';
import type { SeatDecision, SeatRequest } from './seat-rules.ts';

/** The grant that goes with a decision, or undefined when it is a refusal. */
export function makeGrant(
  state: LicensingState,
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
  const expiry = tokenExpirySeconds(clock.real_ms, state.settings.licenseTokenTtlSeconds, realExpiryMs);
  const issued = Math.floor(clock.real_ms / 1000);
  const claims = {
    iss: state.settings.baseUrl,
    aud: state.settings.licenseAudience,
    sub: request.userId,
    jti: sessionId,
    iat: issued,
    nbf: issued,
    exp: expiry,
    org: organizationId,
    lic: license.id,
    hw: request.hardwareId,
    product: license.product,
    features: license.features,
    max_seats: license.max_seats,
  };
  return {
    session_id: sessionId,
    expires_at: isoTime(expiry * 1000),
    heartbeat_interval: license.heartbeat_interval_seconds ?? state.settings.heartbeatIntervalSeconds,
    features: license.features,
    token: { keyId, claims },
  };
}
