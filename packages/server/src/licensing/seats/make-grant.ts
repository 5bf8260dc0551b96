import { isoTime } from '../../clock/index.ts';
import { makeClaims, tokenExpirySeconds } from '../license-tokens/license-token.ts';
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
  const session = { id: sessionId, userId: request.userId, hardwareId: request.hardwareId, issued, expiry };
  const claims = makeClaims(state.settings, organizationId, session, license);
  return {
    session_id: sessionId,
    expires_at: isoTime(expiry * 1000),
    heartbeat_interval: license.heartbeat_interval_seconds ?? state.settings.heartbeatIntervalSeconds,
    features: license.features,
    token: { keyId, claims },
  };
}
