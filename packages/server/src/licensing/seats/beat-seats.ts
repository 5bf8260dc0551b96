import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { notFound } from '../../http/index.ts';
import { signLicenseToken } from '../license-tokens/license-token.ts';
import type { LicensingState } from '../state.ts';
import { type BeatenRow, LIST_SESSION_STANDINGS, UPDATE_SLOTS_BEATEN } from './heartbeat-queries.ts';
import type { Beat, BeatItem, BeatOutcome } from './seat-items.ts';
import { heartbeatRefusal, mayTouch } from './session-refusal.ts';

/**
 * Keeps a session alive. Refused with session_timeout, session_released, license_expired, license_suspended,
 * license_revoked, forbidden or not_found.
 */
export async function heartbeatSeat(
  state: LicensingState,
  context: AuthorizedContext,
  input: { session_id: string },
): Promise<Answer<Beat>> {
  const { organizationId, userId, role, clockOffsetMs } = context.principal;
  const item = { sessionId: input.session_id, caller: { userId, isAdmin: role === 'admin' }, clockOffsetMs };
  const outcome = context.database.inTransaction
    ? (await beatSeats(state, context.database, organizationId, [item]))[0]
    : await state.heartbeats.submit(organizationId, item);
  if (outcome === undefined || 'refusal' in outcome) {
    throw outcome?.refusal ?? notFound('session');
  }
  return { data: outcome.beat };
}

/** After the commit: the answer with the fresh token, if less than half of the last one was left. */
export async function presentBeat(state: LicensingState, beat: Beat): Promise<unknown> {
  const { token, ...shown } = beat;
  if (token === undefined) {
    return shown;
  }
  const key = await state.signingKeys.byId(token.keyId);
  const licenseToken = await signLicenseToken(key.privateKey, token);
  return { ...shown, license_token: licenseToken, expires_at: isoTime(token.claims.exp * 1000) };
}

/** One batch of one organization, as one statement; only those it did not find alive cost a second one. */
export async function beatSeats(
  state: LicensingState,
  database: Queries,
  organizationId: string,
  items: readonly BeatItem[],
): Promise<readonly BeatOutcome[]> {
  const offset = items[0]?.clockOffsetMs ?? 0;
  const rows = await database.query(UPDATE_SLOTS_BEATEN, [
    organizationId,
    offset,
    items.map((item) => item.sessionId),
    items.filter((item) => item.caller.isAdmin).map((item) => item.sessionId),
    items.filter((item) => !item.caller.isAdmin).map((item) => `${item.sessionId} ${item.caller.userId}`),
    state.settings.seatTimeoutSeconds,
    state.settings.licenseTokenTtlSeconds,
  ]);
  const beaten = new Map(rows.map((row) => [row.session_id, row]));
  const keyId = rows.some((row) => row.fresh_token !== null) ? (await state.signingKeys.active()).id : '';
  const found = items.map((item) => {
    const row = beaten.get(item.sessionId);
    return row !== undefined && mayTouch(item.caller, row.user_id) ? row : undefined;
  });
  const missing = items.filter((_, position) => found[position] === undefined).map((item) => item.sessionId);
  const standings =
    missing.length === 0 ? [] : await database.query(LIST_SESSION_STANDINGS, [organizationId, offset, missing]);
  return items.map((item, position) => {
    const row = found[position];
    return row === undefined
      ? {
          refusal: heartbeatRefusal(
            item.caller,
            standings.find((each) => each.id === item.sessionId),
          ),
        }
      : { beat: makeBeat(state, organizationId, keyId, row) };
  });
}

function makeBeat(state: LicensingState, organizationId: string, keyId: string, row: BeatenRow): Beat {
  const interval = row.heartbeat_interval_seconds ?? state.settings.heartbeatIntervalSeconds;
  const beat: Beat = {
    session_id: row.session_id,
    status: 'active',
    next_heartbeat_due: isoTime(row.wall_ms + interval * 1000),
  };
  const fresh = row.fresh_token;
  if (fresh === null) {
    return beat;
  }
  const issued = Math.floor(fresh.issued_ms / 1000);
  const claims = {
    iss: state.settings.baseUrl,
    aud: state.settings.licenseAudience,
    sub: row.user_id,
    jti: row.session_id,
    iat: issued,
    nbf: issued,
    exp: Math.floor(fresh.expires_ms / 1000),
    org: organizationId,
    lic: fresh.license_id,
    hw: fresh.hardware_id,
    product: fresh.product,
    features: fresh.features,
    max_seats: fresh.max_seats,
  };
  return { ...beat, token: { keyId, claims } };
}
